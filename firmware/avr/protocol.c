#include "protocol.h"

#include <string.h>

enum { VERSION = 3 };
enum { FIRMWARE = 0x010100 };  /* 1.1.0 */
enum { HEAD = 3 };  /* bytes that every request begins with: type, number, heard */
#define GOOD_CRC 0xDEBB20E3  /* what the CRC-32 of a message with its own CRC behind it comes to */
enum { HELLO = 1, PICTURE, DELTA, BEAT, TUNE, CHECKUP, WELCOME = 129, SHOWN, REFUSED, PRESS, HEALTH };
enum { NO_SESSION = 1, OTHER_BASE, NONSENSE };
enum { SILENCE = 3000, FADE = 2048, STEP = 200, AGAIN = 100, GAP = 50 };  /* ms */

static const uint8_t patterns[8] = {0xFF, 0x0F, 0x33, 0x55, 0x01, 0x05, 0x7F, 0x5F};  /* lowest bit: first step */

static Light lights[MOST];
static uint8_t count, picture;  /* the picture's LEDs, and its number */
static uint16_t share = 256;    /* of the colors, so that the current keeps within the limit */
static uint8_t brightness;      /* the same for one color */
static uint32_t load;           /* 16 red + 11 green + 15 blue of all LEDs */
static uint8_t blinking;        /* how many do */
static Light slots[6];          /* the colors that strokes brought last, the newest first */
static uint8_t step;
static uint16_t step_ms, silent_ms, level = 256;
bool stale = true;
uint8_t reach = MOST;  /* the first time all, for LEDs keep their light when a board restarts */

static uint32_t session;
static uint8_t number, version = VERSION, reply[3];

static uint8_t presses[8], waiting, press = 1, press_ms;
static uint8_t history[BUTTONS], held, sample;

static uint8_t tones[16], *tone = tones, *tones_end = tones;  /* pitch and length of each */
static uint16_t tone_ms;
uint8_t pitch;

/* ---- frames */

uint8_t room[LONGEST];
static uint16_t length;
static uint8_t left, gap_ms;
static bool begun, zero_due, spoilt;
static uint16_t spoilt_frames;
static uint32_t crc;

static uint32_t crc_with(uint32_t sum, uint8_t byte) {
  sum ^= byte;
  for (uint8_t bit = 0; bit < 8; bit++) sum = sum & 1 ? sum >> 1 ^ 0xEDB88320 : sum >> 1;
  return sum;
}

static void begin(void) {
  begun = zero_due = spoilt = false;
  left = length = 0;
  crc = 0xFFFFFFFF;
}

bool room_free(void) { return !length || spoilt; }

static void keep(uint8_t byte) {
  if (length == LONGEST) spoilt = true;
  if (spoilt) return;
  room[length++] = byte;
  crc = crc_with(crc, byte);
}

static uint8_t pack(uint8_t *packed, const uint8_t *message, uint8_t size) {
  uint32_t sum = 0xFFFFFFFF;
  uint8_t code = 0, at = 1;
  for (uint8_t i = 0; i < size; i++, keep_listening()) sum = crc_with(sum, message[i]);
  sum = ~sum;
  for (uint8_t i = 0; i < size + 4; i++) {
    uint8_t byte = i < size ? message[i] : (uint8_t)(sum >> 8 * (i - size));
    keep_listening();
    if (byte) packed[at++] = byte;
    else packed[code] = at - code, code = at++;
  }
  packed[code] = at - code;
  packed[at++] = 0;
  return at;
}

/* ---- pictures */

static uint16_t load_of(Light light) { return 16 * light.red + 11 * light.green + 15 * light.blue; }

static void put(uint8_t place, Light light) {
  Light *there = &lights[place];
  load = load + load_of(light) - load_of(*there);
  blinking = blinking + !!light.blink - !!there->blink;
  *there = light;
  keep_listening();
}

static void clear(uint8_t many) {
  while (many--) {
    lights[many] = (Light){0, 0, 0, 0};
    keep_listening();
  }
  load = blinking = 0;
}

/* Go through the strokes from room[at] on; paint them too, or only say whether they make sense. */
static bool strokes(uint16_t at, uint16_t end, uint8_t size, bool paint) {
  uint8_t map = (size + 7) / 8;
  while (at < end) {
    uint8_t op = room[at++], kind = op & 0xF8, low = op & 7;
    bool listed = op < 0x80;
    Light light = {0, 0, 0, 0};
    if (op < 0x40 || kind == 0x80) {
      if (end - at < 3) return false;
      light = (Light){room[at], room[at + 1], room[at + 2], op < 0x40 ? op >> 3 : low};
      at += 3;
      if (paint) memmove(slots + 1, slots, sizeof slots - sizeof *slots), slots[0] = light;
    } else if (op >= 0x90 && op < 0xC0) {
      light = slots[(op - 0x90) >> 3];
      listed = true;
    } else if (op >= 0xD8 && op < 0xD8 + 6) {
      light = slots[low];
      kind = 0x80;
    }
    if (listed) {
      uint8_t many = (op >= 0x40 && op < 0x80 ? op & 63 : low) + 1;
      if (end - at < many) return false;
      for (; many; many--, at++) {
        if (room[at] >= size) return false;
        if (paint) put(room[at], light);
      }
    } else if (kind == 0x80 || kind == 0xC8) {
      if (end - at < map || (size & 7 && room[at + map - 1] >> (size & 7))) return false;
      for (uint8_t place = 0; paint && place < size; place++)
        if (room[at + (place >> 3)] >> (place & 7) & 1) {
          if (kind == 0xC8) light = lights[place], light.blink = low;
          put(place, light);
        }
      at += map;
    } else if (kind == 0xC0) {
      if (end - at < 3 * size) return false;
      if (paint) load = 0, blinking = low ? size : 0;
      for (uint8_t place = 0; place < size; place++, at += 3, keep_listening())
        if (paint) {
          lights[place] = light = (Light){room[at], room[at + 1], room[at + 2], low};
          load += load_of(light);
        }
    } else if (op == 0xD0) {
      if (paint) clear(size);
    } else return false;
  }
  return true;
}

static void keep_limit(void) {
  uint16_t most = limit();
  uint32_t room_for = most > count ? (uint32_t)255 * (most - count) : 0;
  share = load > room_for ? 256 * room_for / load : 256;
  if (KIND != MONO) return;
  uint8_t brightest = 0, on = 0;
  for (const Light *light = lights; light < lights + count; light++, keep_listening()) {
    uint8_t channel = light->red > light->green ? light->red : light->green;
    if (light->blue > channel) channel = light->blue;
    if (channel > brightest) brightest = channel;
    on += channel > 0;
  }
  brightness = brightest >> 4;
  while (brightness && 8u * ((count + 63) / 64) + on * 5u * (2 * brightness + 1) / 32 > most) brightness--;
}

static void shows(uint8_t size) {
  count = size;
  if (reach < size) reach = size;
  keep_limit();
  step = step_ms = 0;
  stale = true;
}

static void darken(void) {
  clear(count);
  picture = 0;
  shows(count);
}

void latched(void) {
  stale = false;
  reach = count;
}

static bool is_on(const Light *light) { return patterns[light->blink] >> step & 1; }

void color(uint8_t place, uint8_t *grb) {
  const Light *light = &lights[place];
  uint16_t part = level == 256 ? share : (uint16_t)(share * (uint8_t)level) >> 8;
  grb[0] = light->green, grb[1] = light->red, grb[2] = light->blue;
  if (light->blink && !is_on(light)) part = 0;
  if (part == 256) return;
  for (uint8_t channel = 0; channel < 3; channel++) grb[channel] = (uint16_t)(grb[channel] * part) >> 8;
}

bool lit(uint8_t place) {
  const Light *light = &lights[place];
  return level && is_on(light) && (light->red || light->green || light->blue);
}

uint8_t intensity(void) { return brightness * level >> 8; }

/* ---- requests */

static bool done(uint8_t type, uint8_t value) {
  reply[0] = type, reply[1] = number, reply[2] = value;
  return true;
}

static bool picture_comes(uint16_t end) {
  if (end < HEAD + 1) return done(REFUSED, NONSENSE);
  bool whole = room[0] == PICTURE;
  uint8_t size = whole ? room[3] : count;
  if (size > MOST) return done(REFUSED, NONSENSE);
  if (!whole && (!picture || room[3] != picture)) return done(REFUSED, OTHER_BASE);
  if (!strokes(4, end, size, false)) return done(REFUSED, NONSENSE);
  if (whole) clear(count), memset(slots, 0, sizeof slots);
  strokes(4, end, size, true);
  picture = number;
  shows(size);
  return done(SHOWN, picture);
}

static bool tune_comes(uint16_t end) {
  uint16_t size = end - HEAD;
  if (size > sizeof tones || size & 1) return done(REFUSED, NONSENSE);
  memcpy(tones, room + HEAD, size);
  tone = tones, tones_end = tones + size, tone_ms = 0;
  return done(SHOWN, picture);
}

static bool hello_comes(uint16_t end) {
  uint32_t wanted = 0;
  if (end == HEAD + 5) memcpy(&wanted, room + 3, 4);
  if (!wanted) return done(REFUSED, NONSENSE);
  version = room[7] < VERSION ? room[7] : VERSION;
  if (wanted != session) {
    session = wanted;
    waiting = 0, press = 1;
    darken();
  }
  return done(WELCOME, 0);
}

/* Do what the message in room[0] … room[end - 1] asks for. What lies behind it is left from others: nothing is read before
   it is known to be part of this one. */
static bool understand(uint16_t end) {
  if (!room[1]) return false;
  uint8_t type = room[0], last = number;
  number = room[1];
  if (type != HELLO && !session) return done(REFUSED, NO_SESSION);
  silent_ms = 0;
  if (level != 256) level = 256, stale = true;
  if (type == HELLO) return hello_comes(end);
  if (waiting && room[2] == press) {
    memmove(presses, presses + 1, --waiting);
    press = press == 255 ? 1 : press + 1;
    press_ms = 0;
  }
  if (number == last) return true;
  if (type == PICTURE || type == DELTA) return picture_comes(end);
  if (type == TUNE) return tune_comes(end);
  if (type == CHECKUP) return done(HEALTH, 0);
  return type == BEAT ? done(SHOWN, picture) : done(REFUSED, NONSENSE);
}

bool hear(uint8_t byte) {
  gap_ms = 0;
  if (byte == 0) {
    uint16_t whole = begun && !left && !spoilt && crc == GOOD_CRC && length >= HEAD + 4 ? length : 0;
    if (begun && !whole && spoilt_frames < 0xFFFF) spoilt_frames++;
    begin();
    return whole && understand(whole - 4);
  }
  if (!begun) begin(), begun = true;
  if (left) {
    left--;
    keep(byte);
  } else {
    if (zero_due) keep(0);
    left = byte - 1;
    zero_due = byte != 255;
  }
  return false;
}

static uint8_t welcome(uint8_t *packed, uint8_t about) {
  static const char name[] = NAME;
  uint16_t most = limit();
  uint8_t size = 15;
  uint8_t message[16 + sizeof name - 1] = {WELCOME, about, 0, 0, 0, 0, version, KIND, MOST, most & 255, most >> 8, BUTTONS,
                                           FIRMWARE >> 16, FIRMWARE >> 8 & 255, FIRMWARE & 255};
  memcpy(message + 2, &session, 4);
  if (version >= 3) message[size++] = EXTRAS;
  memcpy(message + size, name, sizeof name - 1);
  return pack(packed, message, size + sizeof name - 1);
}

static uint8_t health(uint8_t *packed) {
  uint16_t volts = millivolts();
  uint8_t message[6] = {HEALTH, reply[1], volts & 255, volts >> 8, spoilt_frames & 255, spoilt_frames >> 8};
  return pack(packed, message, sizeof message);
}

uint8_t greeting(uint8_t *packed) { return welcome(packed, 0); }

uint8_t answer(uint8_t *packed) {
  if (reply[0] == HEALTH) return health(packed);
  return reply[0] == WELCOME ? welcome(packed, reply[1]) : pack(packed, reply, 3);
}

uint8_t news(uint8_t *packed) {
  if (!waiting || press_ms) return 0;
  press_ms = AGAIN;
  uint8_t message[3] = {PRESS, press, presses[0]};
  return pack(packed, message, 3);
}

/* ---- time */

static void play_on(void) {
  if (tone_ms && --tone_ms) return;
  bool more = tone < tones_end;
  pitch = more ? *tone++ : 0;
  tone_ms = more ? 10 * *tone++ : 0;
}

bool in_touch(void) { return session && silent_ms < SILENCE; }

void pass(uint8_t down) {
  if (gap_ms < GAP && ++gap_ms == GAP) begin();  /* a frame that stopped halfway goes no further */
  if (press_ms) press_ms--;
  play_on();
  if (sample++ & 1)
    for (uint8_t button = 0; button < BUTTONS; button++) {  /* sixteen equal milliseconds are no bouncing any more */
      uint8_t bit = 1 << button;
      history[button] = history[button] << 1 | (down >> button & 1);
      if (history[button] == 0x00) held &= ~bit;
      if (history[button] == 0xFF && !(held & bit)) {
        held |= bit;
        if (session && waiting < sizeof presses) presses[waiting++] = button;
      }
    }
  if (!session) return;
  if (++step_ms == STEP) {
    step_ms = 0;
    step = (step + 1) & 7;
    stale |= blinking > 0;
  }
  if (++silent_ms <= SILENCE) return;
  if (silent_ms < SILENCE + FADE) {
    uint16_t now = 256 - (silent_ms - SILENCE) / 16 * 2;
    stale |= now != level;
    level = now;
  } else {
    session = 0;
    darken();
    level = 256;
  }
}
