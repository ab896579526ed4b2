/* An Arduino Uno on a serial port: runs the firmware's machine code in simavr behind a pseudo-terminal.

     uno FIRMWARE.hex [--realtime] [--boot MS] [--leds N] [--link PATH]
     uno --loader LOADER.hex --realtime [--leds N] [--link PATH]    a board as it is sold, with nothing but its boot loader

   The serial line is not simavr's, which never loses a byte: bytes come in at 115200 baud, two of them are kept until they are
   read, and more are lost; at another speed than the chip's they are other bytes. Opening the port resets the chip. A strip of WS2812 hangs on D6, MAX7219 on the SPI pins (load: D10),
   buttons on D2, D3 and D4, a piezo on D5.

   Time: with --realtime the chip keeps to the clock on the wall. Without, it runs as fast as it can while there is something to
   do, and stands still 30 ms (of its own) after the last byte, so that a slow test cannot make it wait too long.

   It says, one line each:            It is told, one line each:
     port PATH                          down BUTTON, up BUTTON
     reset CYCLE                        run MS      (then: ran CYCLE)
     dead CYCLE                         cut BYTES: the power fails when so many more have come in; power: it is back
     colors CYCLE SINCE RRGGBB…        stats       (then: stats lost N faults N stack N)
     rows CYCLE SINCE INTENSITY…/XX…
     sound CYCLE HERTZ (0: silence)
     status CYCLE LIT
     fault CYCLE …                      SINCE: when the first bit of the last request came in  */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_ioport.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_hex.h>

enum { HERTZ = 16000000, MS = HERTZ / 1000, BAUD = 115200, AFTERGLOW = 30 * MS, LATCH = HERTZ / 1000000 * 280 };
enum { UCSR0A = 0xC0, UCSR0B = 0xC1, UBRR0L = 0xC4, UBRR0H = 0xC5, UDR0 = 0xC6, RXEN = 1 << 4, TXEN = 1 << 3 };
enum { SPCR = 0x4C, SPSR, SPDR };
enum { MCUSR = 0x54, DDRB = 0x24, PORTB, DDRD = 0x2A, TCCR0A = 0x44, TCCR0B, OCR0A = 0x47 };
enum { LEDS = 256, MODULES = 4 };

static avr_t *avr;
static int port;
static avr_cycle_count_t active;  /* when something was on the line last */
static unsigned lost, faults;
static const char *loader;
static double speed = BAUD;  /* of the host */
static long cut = -1;  /* bytes until the power fails */
static bool dead;

/* ---- the serial line */

static struct {
  uint8_t coming[4096];  /* from the host, not yet on the wire */
  size_t first, last;
  uint8_t kept[2], many;
  double next;           /* when the byte on the wire will be in */
  avr_cycle_count_t since;
  bool request;          /* one has begun */
} in;
static struct { bool busy, held; uint8_t shift, next; avr_cycle_count_t end; } out;
static uint8_t doubled;  /* the U2X bit */

static void line_reset(void) {
  in.first = in.last = in.many = 0;
  out.busy = out.held = false;
}

static uint8_t read_data(avr_t *a, avr_io_addr_t at, void *p) {
  (void)a, (void)at, (void)p;
  uint8_t byte = in.kept[0];
  if (in.many) in.kept[0] = in.kept[1], in.many--;
  return byte;
}

static uint8_t read_status(avr_t *a, avr_io_addr_t at, void *p) {
  (void)a, (void)at, (void)p;
  return (in.many ? 0x80 : 0) | (out.held ? 0 : 0x20) | doubled;
}

static void write_status(avr_t *a, avr_io_addr_t at, uint8_t value, void *p) {
  (void)a, (void)at, (void)p;
  doubled = value & 2;
}

static void put(void) {
  unsigned divisor = (avr->data[UBRR0H] << 8 | avr->data[UBRR0L]) + 1;
  in.request = false;  /* it is being answered */
  out.busy = true;
  out.end = avr->cycle + 10 * divisor * (doubled ? 8 : 16);
}

static void write_data(avr_t *a, avr_io_addr_t at, uint8_t value, void *p) {
  (void)a, (void)at, (void)p;
  if (!(avr->data[UCSR0B] & TXEN)) return;
  if (out.busy) out.next = value, out.held = true;
  else out.shift = value, put();
}

/* Whether the chip listens at another speed than the host's. */
static bool garbled(void) {
  unsigned divisor = (avr->data[UBRR0H] << 8 | avr->data[UBRR0L]) + 1;
  double own = (double)HERTZ / (doubled ? 8 : 16) / divisor;
  return own < 0.95 * speed || own > 1.05 * speed;
}

/* What the line does by now; called every few microseconds. */
static void line(void) {
  while (in.first < in.last && in.next <= avr->cycle) {
    uint8_t byte = in.coming[in.first++];
    if (avr->data[UCSR0B] & RXEN) {
      if (in.many < 2) in.kept[in.many++] = garbled() ? byte ^ 0xA5 : byte;
      else lost++;
    }
    in.next += 10.0 * HERTZ / speed;
    active = avr->cycle;
  }
  if (out.busy && out.end <= avr->cycle) {
    if (write(port, &out.shift, 1) < 0) {}  /* nobody is there */
    out.busy = false;
    if (out.held) out.shift = out.next, out.held = false, put();
    active = avr->cycle;
  }
}

static void take_in(void) {
  if (in.first == in.last) in.first = in.last = 0;
  ssize_t many = read(port, in.coming + in.last, sizeof in.coming - in.last);
  if (many <= 0) return;
  struct termios host;
  if (!tcgetattr(port, &host)) speed = cfgetospeed(&host) == B57600 ? 57600 : BAUD;
  if (cut >= 0 && (cut -= many) < 0) dead = true, cut = -1, printf("dead %llu\n", (unsigned long long)avr->cycle);
  if (in.first == in.last) {
    in.next = avr->cycle + 10.0 * HERTZ / speed;
    if (!in.request) in.since = avr->cycle, in.request = true;
  }
  in.last += many;
  active = avr->cycle;
}

/* ---- the strip */

static struct {
  uint8_t shown[LEDS * 3], coming[LEDS * 3];
  int leds, bits, previous;  /* bits since the last rest; the bit whose low part runs */
  avr_cycle_count_t rise, fall;
} strip = {.leds = 64};

static void fault(const char *what, avr_cycle_count_t cycles) {
  if (faults++ < 20) printf("fault %llu %s %llu ns\n", (unsigned long long)avr->cycle, what, (unsigned long long)cycles * 125 / 2);
}

static bool between(avr_cycle_count_t cycles, int least, int most) {  /* ns; 62.5 to a cycle */
  return (int)(cycles * 125 / 2) >= least && (int)(cycles * 125 / 2) <= most;
}

/* Within what the data sheets of WS2812 and WS2812B both allow. */
static void data_pin(avr_irq_t *irq, uint32_t high, void *p) {
  (void)irq, (void)p;
  if (high) {
    strip.rise = avr->cycle;
    if (strip.bits) {
      avr_cycle_count_t low = strip.rise - strip.fall;
      if (strip.previous ? !between(low, 450, 600) : !between(low, 700, 950)) fault("low", low);
    }
  } else if (strip.rise) {
    avr_cycle_count_t length = avr->cycle - strip.rise;
    int bit = length * 125 / 2 > 575;
    if (bit ? !between(length, 650, 850) : !between(length, 250, 500)) fault("high", length);
    if (strip.bits < LEDS * 24) {
      uint8_t *byte = &strip.coming[strip.bits / 8];
      *byte = *byte << 1 | bit;
    }
    strip.bits++;
    strip.previous = bit;
    strip.fall = avr->cycle;
  }
}

static void strip_rests(void) {
  static const uint8_t order[3] = {1, 0, 2};  /* green, red, blue come in */
  if (!strip.bits || avr->cycle - strip.fall < LATCH) return;
  if (strip.bits % 24) fault("bits left over", strip.bits);
  for (int at = 0; at < strip.bits / 8 && at < LEDS * 3; at++) strip.shown[at / 3 * 3 + order[at % 3]] = strip.coming[at];
  printf("colors %llu %llu ", (unsigned long long)(strip.fall + LATCH), (unsigned long long)in.since);
  for (int at = 0; at < strip.leds * 3; at++) printf("%02x", strip.shown[at]);
  printf("\n");
  strip.bits = 0;
}

/* ---- the matrix modules */

static struct {
  uint8_t shift[MODULES * 2], registers[MODULES][16];
  int modules;
  bool changed;
  avr_cycle_count_t last;
} matrix = {.modules = 2};

static avr_cycle_count_t spi_end;

static uint8_t read_spi_status(avr_t *a, avr_io_addr_t at, void *p) {
  (void)a, (void)at, (void)p;
  return avr->cycle >= spi_end ? 0x80 : 0;
}

static void write_spi_data(avr_t *a, avr_io_addr_t at, uint8_t byte, void *p) {
  (void)a, (void)at, (void)p;
  static const int divisors[4] = {4, 16, 64, 128};
  if (avr->cycle < spi_end) fault("written too early to SPI", spi_end - avr->cycle);
  spi_end = avr->cycle + 8 * divisors[avr->data[SPCR] & 3];
  memmove(matrix.shift + 1, matrix.shift, sizeof matrix.shift - 1);  /* the last that came in is in the first module */
  matrix.shift[0] = byte;
}

static void load_pin(avr_irq_t *irq, uint32_t high, void *p) {
  (void)irq, (void)p;
  if (!high) return;
  for (int module = 0; module < matrix.modules; module++)
    matrix.registers[module][matrix.shift[module * 2 + 1] & 15] = matrix.shift[module * 2];
  matrix.changed = true;
  matrix.last = avr->cycle;
}

static void matrix_rests(void) {
  if (!matrix.changed || avr->cycle - matrix.last < LATCH) return;
  matrix.changed = false;
  for (int module = 0; module < matrix.modules; module++) {
    const uint8_t *r = matrix.registers[module];
    if (r[9] || r[11] != 7 || r[15]) fault("decode, scan limit or test of a module", module);
  }
  printf("rows %llu %llu ", (unsigned long long)matrix.last, (unsigned long long)in.since);
  for (int module = 0; module < matrix.modules; module++) printf("%02x", matrix.registers[module][10]);
  printf("/");
  for (int module = 0; module < matrix.modules; module++)
    for (int row = 1; row <= 8; row++) printf("%02x", matrix.registers[module][12] & 1 ? matrix.registers[module][row] : 0);
  printf("\n");
}

/* ---- the piezo, by what timer 0 is told, and the board's own LED */

static void ears_and_eyes(void) {
  static unsigned heard, lit;
  bool toggles = (avr->data[TCCR0A] & 0x33) == 0x12 && (avr->data[TCCR0B] & 0x0F) == 4 && avr->data[DDRD] & 1 << 5;
  unsigned hertz = toggles ? HERTZ / 512 / (avr->data[OCR0A] + 1) : 0;
  unsigned burns = avr->data[DDRB] & avr->data[PORTB] & 1 << 5;
  if (hertz != heard) printf("sound %llu %u\n", (unsigned long long)avr->cycle, heard = hertz);
  if (burns != lit) lit = burns, printf("status %llu %u\n", (unsigned long long)avr->cycle, !!lit);
}

/* ---- the chip and the world around it */

static void hold(int button, bool down) {
  avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 2 + button), !down);
}

static void reset(void) {
  avr_reset(avr);
  avr->data[MCUSR] |= 2;  /* from outside */
  line_reset();
  memset(avr->data + 0x100, 0xC5, 2048);
  strip.bits = 0, strip.rise = 0;
  for (int button = 0; button < 3; button++) hold(button, true), hold(button, false);  /* the reset has let go of the pins */
  active = avr->cycle;
  printf("reset %llu\n", (unsigned long long)avr->cycle);
}

static unsigned stack(void) {
  unsigned run = 0, at = avr->ramend;
  for (; at > 0x100 && run < 32; at--) run = avr->data[at] == 0xC5 ? run + 1 : 0;
  return avr->ramend - at - run;
}

static avr_cycle_count_t obey(char *told) {
  int button;
  unsigned ms;
  if (sscanf(told, "run %u", &ms) == 1) return avr->cycle + (avr_cycle_count_t)ms * MS;
  if (sscanf(told, "down %d", &button) == 1) hold(button, true);
  if (sscanf(told, "up %d", &button) == 1) hold(button, false);
  sscanf(told, "cut %ld", &cut);
  if (!strncmp(told, "power", 5)) dead = false, reset();
  if (!strncmp(told, "stats", 5)) return printf("stats lost %u faults %u stack %u\n", lost, faults, stack()), 0;
  active = avr->cycle;
  return 0;
}

static double wall(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

static const char *open_port(void) {
  struct termios raw;
  port = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (port < 0 || grantpt(port) || unlockpt(port)) perror("pty"), exit(1);
  const char *path = ptsname(port);
  int other = open(path, O_RDWR | O_NOCTTY);
  tcgetattr(other, &raw);
  cfmakeraw(&raw);
  tcsetattr(other, TCSANOW, &raw);
  close(other);
  return path;
}

int main(int many, char **arguments) {
  bool realtime = false;
  unsigned boot = 0;
  const char *link = NULL;
  for (int at = 2; at < many; at++) {
    if (!strcmp(arguments[at], "--realtime")) realtime = true;
    else if (!strcmp(arguments[at], "--boot")) boot = atoi(arguments[++at]);
    else if (!strcmp(arguments[at], "--leds")) strip.leds = atoi(arguments[++at]);
    else if (!strcmp(arguments[at], "--link")) link = arguments[++at];
    else loader = arguments[at];
  }
  uint32_t size, start;
  if (many > 2 && !strcmp(arguments[1], "--loader")) arguments[1] = arguments[2];
  uint8_t *code = many > 1 ? read_ihex_file(arguments[1], &size, &start) : NULL;
  avr = avr_make_mcu_by_name("atmega328p");
  if (!code || !avr) return fprintf(stderr, "uno: cannot load the firmware\n"), 1;
  avr_init(avr);
  avr->frequency = HERTZ;
  avr->vcc = avr->avcc = 4900;  /* mV */
  avr->log = LOG_ERROR;
  avr->run_cycle_limit = 200;
  avr_loadcode(avr, code, size, start);
  if (loader) avr->reset_pc = start, memcpy(avr->flash, "\xFF\xCF", 2);  /* as program something that does nothing */
  avr->codeend = avr->flashend;
  avr->io[AVR_DATA_TO_IO(UDR0)].r.c = read_data;
  avr->io[AVR_DATA_TO_IO(UDR0)].w.c = write_data;
  avr->io[AVR_DATA_TO_IO(UCSR0A)].r.c = read_status;
  avr->io[AVR_DATA_TO_IO(UCSR0A)].w.c = write_status;
  avr->io[AVR_DATA_TO_IO(UCSR0B)].w.c = NULL;
  avr->io[AVR_DATA_TO_IO(SPCR)].w.c = NULL;
  avr->io[AVR_DATA_TO_IO(SPSR)].r.c = read_spi_status;
  avr->io[AVR_DATA_TO_IO(SPDR)].w.c = write_spi_data;
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 6), data_pin, NULL);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 2), load_pin, NULL);

  setvbuf(stdout, NULL, _IOLBF, 0);
  const char *path = open_port();
  if (link) unlink(link), symlink(path, link) ? perror(link) : 0;
  reset();
  char told[256];
  size_t length = 0;
  avr_cycle_count_t until = 0;
  int opened = inotify_init1(IN_NONBLOCK);
  inotify_add_watch(opened, path, IN_OPEN);
  double began = wall() - (double)avr->cycle / HERTZ, booted = 0;
  printf("port %s\n", path);
  for (;;) {
    bool awake = realtime || until || in.first < in.last || out.busy || avr->cycle < active + AFTERGLOW;
    struct pollfd ears[3] = {{0, POLLIN, 0}, {opened, POLLIN, 0}, {port, POLLIN, 0}};
    poll(ears, 3, awake ? 0 : -1);
    if (ears[0].revents) {
      char sign;
      if (read(0, &sign, 1) != 1) return 0;
      if (length < sizeof told - 1) told[length++] = sign;
      if (sign == '\n') {
        told[length] = 0, length = 0;
        avr_cycle_count_t end = obey(told);
        if (end) until = end;
      }
    }
    char news[4096];
    if (read(opened, news, sizeof news) > 0) {  /* as an Uno is by DTR */
      reset();
      booted = wall() + boot / 1e3;
    }
    if (dead) {
      char swallowed[256];
      if (read(port, swallowed, sizeof swallowed) < 0) {}
      usleep(1000);
      began = wall() - (double)avr->cycle / HERTZ;
      continue;
    }
    if (booted > wall()) {  /* the boot loader listens, and not to us */
      char swallowed[256];
      if (read(port, swallowed, sizeof swallowed) < 0) {}
      usleep(1000);
      began = wall() - (double)avr->cycle / HERTZ;
      continue;
    }
    if (ears[2].revents & POLLIN) take_in();
    if (!awake && !(ears[2].revents & POLLIN)) {
      if (ears[2].revents & POLLHUP) usleep(2000);  /* nobody has the port open */
      continue;
    }
    for (avr_cycle_count_t stop = avr->cycle + MS / 10; avr->cycle < stop;) {
      if (avr_run(avr) >= cpu_Done) return printf("fault %llu crashed\n", (unsigned long long)avr->cycle), 1;
      line();
    }
    strip_rests();
    matrix_rests();
    ears_and_eyes();
    if (until && avr->cycle >= until) {
      until = 0;
      printf("ran %llu\n", (unsigned long long)avr->cycle);
    }
    if (realtime) {
      double ahead = (double)avr->cycle / HERTZ - (wall() - began);
      if (ahead < -0.1) began += -ahead;
      if (ahead > 0.0005) usleep(ahead * 1e6);
    }
  }
}
