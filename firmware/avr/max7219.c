/* One or more MAX7219 in a row: data on D11, clock on D13, load on D10. LED 0 is the first row's first column of the module next to
   the board; 64 LEDs on is the next module. */
#include <avr/io.h>

#include "main.h"
#include "protocol.h"

enum { DECODE = 9, INTENSITY, SCAN_LIMIT, ON, TEST = 15, MODULES = (MOST + 63) / 64 };

static void transfer(uint8_t byte) {
  SPDR = byte;
  while (!(SPSR & _BV(SPIF))) {}
  keep_listening();
}

/* The same register of all modules; the first word goes through to the last one. */
static void write(uint8_t where, const uint8_t *values) {
  PORTB &= ~_BV(PB2);
  for (uint8_t module = MODULES; module--;) {
    transfer(where);
    transfer(values[module]);
  }
  PORTB |= _BV(PB2);
}

static void write_all(uint8_t where, uint8_t value) {
  uint8_t values[MODULES];
  for (uint8_t module = 0; module < MODULES; module++) values[module] = value;
  write(where, values);
}

void leds_start(void) {
  DDRB |= _BV(PB2) | _BV(PB3) | _BV(PB5);
  SPCR = _BV(SPE) | _BV(MSTR);  /* 4 MHz */
  write_all(TEST, 0);
  write_all(DECODE, 0);
  write_all(SCAN_LIMIT, 7);
}

void show(void) {
  write_all(INTENSITY, intensity());
  for (uint8_t row = 0; row < 8; row++) {
    uint8_t values[MODULES];
    for (uint8_t module = 0; module < MODULES; module++) {
      uint8_t bits = 0;
      for (uint8_t column = 0; column < 8; column++) {
        uint16_t place = module * 64 + row * 8 + column;
        if (place < MOST && lit(place)) bits |= 0x80 >> column;
        keep_listening();
      }
      values[module] = bits;
    }
    write(row + 1, values);
  }
  write_all(ON, 1);  /* only now, for it wakes up with whatever it held */
  latched();
}
