/* The AVR firmware's protocol.c on the host: bytes in, answers and shown pictures out. */
#include <string.h>

#include "protocol.h"

uint8_t shown[16][3 * MOST];  /* the pictures shown since the last call, the last in the last place; red, green, blue */
int pictures;

void keep_listening(void) {}
uint16_t limit(void) { return 450; }
uint16_t millivolts(void) { return 0; }

static void show(void) {
  uint8_t *picture = shown[pictures < 16 ? pictures++ : 15], grb[3];
  for (int place = 0; place < MOST; place++, picture += 3) {
    color(place, grb);
    picture[0] = grb[1], picture[1] = grb[0], picture[2] = grb[2];
  }
  latched();
}

int feed(const uint8_t *bytes, int many, uint8_t *answers) {
  int length = 0;
  pictures = 0;
  while (many--)
    if (hear(*bytes++)) {
      if (stale) show();
      length += answer(answers + length);
    }
  return length;
}

int wait_ms(int ms, uint8_t down, uint8_t *answers) {
  int length = 0;
  pictures = 0;
  while (ms--) {
    pass(down);
    length += news(answers + length);
    if (stale && room_free()) show();
  }
  return length;
}
