/* LED firmware for Arduino Uno and Nano (ATmega328P, 16 MHz): the wires around protocol.c. There are no interrupts: whatever
   takes longer than two bytes of the line (170 µs) calls `keep_listening` on its way. */
#include "main.h"

#include <avr/io.h>
#include <avr/pgmspace.h>

#include "protocol.h"

/* `companion leds flash` finds this by its beginning and puts another limit there for a supply of one's own. */
static const struct { char tag[6]; uint16_t limit; } supply PROGMEM __attribute__((used)) = {"limit=", LIMIT};

uint16_t limit(void) { return pgm_read_word(&supply.limit); }

/* By the 1.1 V that the chip knows: it is measured over and over against the supply. */
uint16_t millivolts(void) {
  uint16_t share = ADC;
  return share ? 1100UL * 1024 / share : 0;
}

/* A piezo from D5 to ground. Timer 0 turns the pin over without the chip's attention. */
static void sound(void) {
  static uint8_t heard;
  if (pitch == heard) return;
  heard = pitch;
  OCR0A = pitch - 1;
  TCCR0A = pitch ? _BV(COM0B0) | _BV(WGM01) : 0;
}

/* The board's own LED, on D13: it burns while a host is there, and winks while one is waited for. */
static void status(void) {
  static uint16_t ms;
  ms = (ms + 1) & 1023;
  if (EXTRAS & STATUS) PORTB = in_touch() || ms < 32 ? PORTB | _BV(PB5) : PORTB & ~_BV(PB5);
}

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
  TCCR0B = _BV(CS02);              /* 16 µs a tick */
  ADMUX = _BV(REFS0) | 14;         /* the 1.1 V, against the supply */
  ADCSRA = _BV(ADEN) | _BV(ADSC) | _BV(ADATE) | 7;
  DDRD |= _BV(PD5);
  if (EXTRAS & STATUS) DDRB |= _BV(PB5);
  PORTD = _BV(PD2) | _BV(PD3) | _BV(PD4);  /* buttons from D2 (turn done), D3 (hint) and D4 (referee) to ground */
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
      pass(~PIND >> PD2 & 7);
      sound();
      status();
      send(packed, news(packed));
    }
    if (stale && room_free()) show();
  }
}
