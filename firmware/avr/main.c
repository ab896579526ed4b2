/* LED firmware for Arduino Uno and Nano (ATmega328P, 16 MHz): the wires around protocol.c. There are no interrupts: whatever
   takes longer than two bytes of the line (170 µs) calls `keep_listening` on its way. */
#include "main.h"

#include <avr/io.h>

#include "protocol.h"

uint8_t overheard[OVERHEARD], *overheard_end = overheard;

void keep_listening(void) {
  if (UCSR0A & _BV(RXC0)) {
    uint8_t byte = UDR0;
    if (overheard_end < overheard + OVERHEARD) *overheard_end++ = byte;
  }
}

static void send(const uint8_t *packed, uint8_t size) {
  while (size--) {
    while (!(UCSR0A & _BV(UDRE0))) keep_listening();
    UDR0 = *packed++;
  }
}

/* The oldest byte that has come in; false where there is none. */
static bool received(uint8_t *byte) {
  keep_listening();
  if (overheard_end == overheard) return false;
  *byte = overheard[0];
  overheard_end--;
  for (uint8_t *at = overheard; at < overheard_end; at++) at[0] = at[1];
  return true;
}

int main(void) {
  uint8_t packed[PACKED], byte;
  uint16_t last = 0;

  UCSR0A = _BV(U2X0);
  UBRR0 = 16;  /* 117 647 baud, 2.1 % above 115 200, as every Uno does */
  UCSR0B = _BV(RXEN0) | _BV(TXEN0);
  TCCR1B = _BV(CS11) | _BV(CS10);  /* 250 ticks a millisecond */
  PORTD = _BV(PD2) | _BV(PD3);     /* buttons from D2 (turn done) and D3 (hint) to ground */
  leds_start();
  show();
  send(packed, greeting(packed));

  for (;;) {
    if (received(&byte) && hear(byte)) {
      if (stale) show();
      send(packed, answer(packed));
    }
    while ((uint16_t)(TCNT1 - last) >= 250) {
      last += 250;
      pass(~PIND >> PD2 & 3);
      send(packed, news(packed));
    }
    if (stale && room_free()) show();
  }
}
