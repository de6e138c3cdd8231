// Which part of the camera's picture the person aims with.

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Size, Point {}

/** The part of the camera's picture that is read. */
export interface Cut {
  /** Where it is in the camera's picture. */
  from: Box;
  /** How large it is when it is read. */
  size: Size;
  /** Where the viewfinder is in what is read. */
  finder: Box;
}

export interface FoundCode {
  text: string;
  /** In the part that was read. */
  middle: Point;
}

// Around the viewfinder, in parts of its side: room for the quiet zone of a code that fills it, or is held too near.
const MARGIN = 0.2;
// Larger pictures take longer to search without being read any better.
const LONGEST_SIDE = 640;

/**
 * `screen` is where the picture is shown, filled as by `object-fit: cover`, and `finder` where the viewfinder is;
 * both as the browser measures them. Null while no part of the picture is in the viewfinder.
 */
export function cutOf(camera: Size, screen: Box, finder: Box): Cut | null {
  const zoom = Math.max(screen.width / camera.width, screen.height / camera.height);
  const left = screen.x + (screen.width - camera.width * zoom) / 2;
  const top = screen.y + (screen.height - camera.height * zoom) / 2;
  const aim = {
    x: (finder.x - left) / zoom,
    y: (finder.y - top) / zoom,
    width: finder.width / zoom,
    height: finder.height / zoom,
  };
  const across = span(aim.x, aim.width, camera.width);
  const down = span(aim.y, aim.height, camera.height);
  // Where the video or the viewfinder has no size yet, the lengths are NaN, which is not larger than 0 either.
  if (!(across.length > 0 && down.length > 0)) return null;
  const scale = Math.min(1, LONGEST_SIDE / Math.max(across.length, down.length));
  return {
    from: { x: across.start, y: down.start, width: across.length, height: down.length },
    size: {
      width: Math.max(1, Math.round(across.length * scale)),
      height: Math.max(1, Math.round(down.length * scale)),
    },
    finder: {
      x: (aim.x - across.start) * scale,
      y: (aim.y - down.start) * scale,
      width: aim.width * scale,
      height: aim.height * scale,
    },
  };
}

/** The viewfinder with its margin along one direction, in whole pixels, as far as the camera's picture goes. */
function span(start: number, length: number, limit: number): { start: number; length: number } {
  if (!(length > 0)) return { start: 0, length: 0 };
  const from = Math.max(0, Math.floor(start - MARGIN * length));
  const to = Math.min(limit, Math.ceil(start + length + MARGIN * length));
  return { start: from, length: to - from };
}

/** The different codes whose middle is in the viewfinder: what is only beside it was not aimed at. */
export function codesInside(found: FoundCode[], finder: Box): string[] {
  const inside = found.filter(({ middle: { x, y } }) => {
    return x >= finder.x && x <= finder.x + finder.width && y >= finder.y && y <= finder.y + finder.height;
  });
  const texts = inside.map(({ text }) => text.trim()).filter((text) => text !== '');
  return [...new Set(texts)];
}

export function middleOf(corners: Point[]): Point {
  const sum = (of: (corner: Point) => number): number => corners.reduce((total, corner) => total + of(corner), 0);
  return { x: sum(({ x }) => x) / corners.length, y: sum(({ y }) => y) / corners.length };
}
