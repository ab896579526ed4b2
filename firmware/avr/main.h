#pragma once
#include <stdint.h>

/* What came in while the LEDs were written: 128 of them take 3.9 ms, in which the host can send 45 bytes. */
#define OVERHEARD 64
extern uint8_t overheard[OVERHEARD], *overheard_end;

/* ws2812.c or max7219.c */
void leds_start(void);
void show(void);  /* the picture as it is now */
