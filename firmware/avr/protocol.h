/* The board's side of the LED protocol (../PROTOCOL.md): what comes in, what goes out, what the LEDs show. No I/O, so that
   the same source runs on the chip and in the tests. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#ifndef MOST
#define MOST 128   /* LEDs; up to 255 where there is more memory */
#endif
#define COLOR 1   /* WS2812 */
#define MONO 2     /* MAX7219 */
#ifndef KIND
#define KIND COLOR
#endif
#if KIND == COLOR
#define NAME "AVR WS2812"
#else
#define NAME "AVR MAX7219"
#endif
#define BUTTONS 3
/* What a board can beyond its LEDs, as the hello tells it. */
#define SOUND 1
#define STATUS 2
#define VITALS 4
#define EXTRAS (SOUND | VITALS | (KIND == COLOR ? STATUS : 0))  /* where the status LED hangs MAX7219 have their clock */
#define LONGEST (3 + 1 + 1 + 3 * MOST + 7 * (1 + (MOST + 7) / 8) + 4)  /* the longest message, with its CRC */

typedef struct { uint8_t red, green, blue, blink; } Light;

/* One byte from the host. True: a request has been done; show the picture if it is `stale`, then send the `answer`. */
bool hear(uint8_t byte);
/* A millisecond has gone by; bit b of `down`: button b is held. */
void pass(uint8_t down);
/* A message for the host, packed, and its length. */
uint8_t answer(uint8_t *packed);
uint8_t news(uint8_t *packed);     /* a press that it is time to tell, or 0 */
uint8_t greeting(uint8_t *packed); /* what a board says when it starts */
#define PACKED 40

/* To be given by the wires' side. Whatever takes long calls the first on its way, so that no byte from the host gets lost. */
void keep_listening(void);
uint16_t limit(void);       /* mA that the LEDs may draw */
uint16_t millivolts(void);  /* of the supply; 0 where that is not known */

extern uint8_t pitch;   /* what is to be heard: half a period of it in 16 µs; 0 is silence */
bool in_touch(void);    /* with a host */

extern bool stale;      /* the LEDs do not show the picture any more: it is new, blinks or fades */
extern uint8_t reach;   /* how many LEDs are to be written: those of the picture and of the one before */
void latched(void);     /* now they do */
/* The room for what comes in, free for others while nothing has begun to. */
extern uint8_t room[LONGEST];
bool room_free(void);

void color(uint8_t place, uint8_t *grb);  /* what a WS2812 is to show now */
bool lit(uint8_t place);                   /* what an LED of a MAX7219 is to show now */
uint8_t intensity(void);                   /* and how bright, 0 … 15 */
