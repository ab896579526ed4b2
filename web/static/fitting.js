// Which moves fit what was touched or picked up; and shapes, as they are turned and flipped. Nothing here knows the page.

/** A piece by what it is, however it is turned. */
export const keyOf = ({ kind, name, model }) => `${kind} ${model ?? name}`;

/** Only one piece can move: then where it stands need not be touched. */
export function isOnePiece(moves) {
  const starts = new Set(moves.map(({ trace }) => (trace.start ?? []).join()));
  return starts.size === 1 && !starts.has("");
}

/** A move that leaves a piece to choose is one move for each; tiles, of which there are many, are named by their arrows later. */
export function withChoices(move, choices) {
  const pieces = choices[move.choices];
  if (!pieces) return [move];
  return pieces.every(({ kind }) => kind === "tile") ? [{ ...move, tiles: pieces }] : pieces.map((piece) => withPiece(move, piece));
}

/** The move with the piece that was chosen. `blank` are its words with a blank for the piece. */
export function withPiece(move, piece) {
  const { tiles, ...rest } = move;
  const fill = (text) => text?.replace("{}", piece.name);
  return { ...rest, move: fill(move.move), announced: fill(move.announced), label: move.label.replace("{}", piece.words), pieces: [piece], blank: move.trace.touch.length ? "" : move.label };
}

/** The moves that what was touched can still become. */
export function fitting(moves, touched) {
  if (!touched.length) return moves;
  return moves.filter((move) => rests(move, touched));
}

/** The squares that are still to be touched for a move, null if it does not fit. Where the one piece stands that can move may be left out. */
export function rests({ trace, alone }, touched) {
  if (!trace.ordered) return touched.every((square) => trace.touch.includes(square)) ? trace.touch.filter((square) => !touched.includes(square)) : null;
  const squares = alone && touched[0] !== trace.touch[0] ? trace.touch.slice(trace.start.length) : trace.touch;
  let at = -1;
  const inOrder = touched.every((square, n) => (at = squares.indexOf(square, at + 1)) >= 0 && (n > 0 || at === 0));
  return inOrder ? squares.filter((square) => !touched.includes(square)) : null;
}

/** A piece that only stands there has not been moved yet: it must be told where to. */
export const isMeant = ({ trace, tiles }, touched) => !tiles && touched.some((square) => !(trace.start ?? []).includes(square));

/** The top that a die would show on the squares it can reach, where the moves say it. */
export function tops(moves) {
  const found = new Map();
  for (const { trace, top } of moves) {
    if (top) found.set(trace.to.at(-1), new Set([...(found.get(trace.to.at(-1)) ?? []), top]));
  }
  return [...found].map(([square, some]) => [square, [...some].sort().join("/")]);
}

// --- shapes: cells as [column, row] of the drawing

const sorted = (cells) => {
  const [left, top] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
  return cells.map(([x, y]) => [x - left, y - top]).sort(([x, y], [u, v]) => x - u || y - v);
};

/** The same for the same shape, wherever it lies. */
export const shapeOf = (cells) => JSON.stringify(sorted(cells));
const cellsOf = (shape) => JSON.parse(shape);
export const turned = (shape) => shapeOf(cellsOf(shape).map(([x, y]) => [-y, x]));
export const flipped = (shape) => shapeOf(cellsOf(shape).map(([x, y]) => [-x, y]));

/** A shape with the cell nearest to its middle on a given one. */
export function laidOn(shape, [column, row]) {
  const cells = cellsOf(shape);
  const [x, y] = middleOf(cells);
  return cells.map(([u, v]) => [u - x + column, v - y + row]);
}

/** The cell of a shape nearest to its middle. */
export function middleOf(cells) {
  const [x, y] = [0, 1].map((axis) => cells.reduce((sum, cell) => sum + cell[axis], 0) / cells.length);
  const far = ([u, v]) => Math.abs(u - x) + Math.abs(v - y);
  return cells.reduce((best, cell) => (far(cell) < far(best) ? cell : best));
}
