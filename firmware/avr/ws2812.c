/* WS2812 on D6. A bit takes 20 cycles (1.25 µs) of which the line is high for 6 (375 ns, a zero) or 12 (750 ns, a one): within the
   data sheets of WS2812 and WS2812B. The cycles in between look once a byte whether the host has said something. */
#include <avr/io.h>

#include "main.h"
#include "protocol.h"

#define REST "nop\n"
#define REST2 "rjmp .+0\n"
/* One bit, with four cycles of other work after the line has gone low, and the shift to the next bit. */
#define BIT(work)                                                                          \
  "out %[port], %[high]\n" REST2 REST2 "sbrs %[byte], 7\n" "out %[port], %[low]\n"         \
  REST2 REST2 REST "out %[port], %[low]\n" work
#define FREE REST2 REST2 "lsl %[byte]\n" REST2

void leds_start(void) { DDRD |= _BV(PD6); }

static uint16_t rest_since;

void show(void) {
  uint8_t *bytes = room, *end = room, byte, status = 0, heard = 0;
  for (uint8_t place = 0; place < reach; place++, end += 3) {
    color(place, end);
    keep_listening();
  }
  latched();
  uint16_t many = end - bytes;
  if (!many) return;
  if (overheard_end > overheard + 16) overheard_end = overheard + 16;  /* who sends so far ahead is not heard */
  while ((uint16_t)(TCNT1 - rest_since) < 75) {}  /* 300 µs of rest end the picture before */
  __asm__ volatile(
      "ld %[byte], %a[bytes]+\n"
      "1:\n"
      BIT("lds %[status], %[ucsra]\n" REST2 "lsl %[byte]\n" REST2)
      BIT("sbrc %[status], 7\n lds %[heard], %[udr]\n" REST "lsl %[byte]\n" REST2)
      BIT("st %a[into], %[heard]\n" REST2 "lsl %[byte]\n" REST2)
      BIT("lsl %[status]\n adc %A[into], r1\n adc %B[into], r1\n" REST "lsl %[byte]\n" REST2)
      BIT(FREE) BIT(FREE) BIT(FREE)
      BIT("ld %[byte], %a[bytes]+\n sbiw %[many], 1\n breq 2f\n rjmp 1b\n 2:\n")
      : [bytes] "+z"(bytes), [into] "+x"(overheard_end), [many] "+w"(many), [byte] "=&r"(byte), [status] "+r"(status),
        [heard] "+r"(heard)
      : [port] "I"(_SFR_IO_ADDR(PORTD)), [high] "r"((uint8_t)(PORTD | _BV(PD6))), [low] "r"((uint8_t)(PORTD & ~_BV(PD6))),
        [ucsra] "n"(_SFR_MEM_ADDR(UCSR0A)), [udr] "n"(_SFR_MEM_ADDR(UDR0))
      : "memory");
  rest_since = TCNT1;
}
