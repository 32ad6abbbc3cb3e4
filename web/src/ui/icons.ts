// Our own icons, drawn as strokes on a 24 × 24 field. They take the colour of the text around them.

import { svg } from "./dom";

const PATHS = {
  first: "M18 6l-6 6 6 6M8 6v12",
  previous: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  last: "M6 6l6 6-6 6M16 6v12",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.8.8 1 1.500 1 2.500h6c0-1 .2-1.700 1-2.500A6 6 0 0 0 12 3z",
  engine: "M13 2L4 14h7l-1 8 9-12h-7z",
  plus: "M12 5v14M5 12h14",
  swap: "M7 4v16M7 4L3 8M7 4l4 4M17 20V4M17 20l4-4M17 20l-4-4",
  share: "M18 8a3 3 0 1 0-3-3M18 8a3 3 0 0 1-2.400-1.200M6 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8.600 10.600l6.800-4M8.600 13.400l6.800 4M18 22a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  paste: "M9 4H6v17h12V4h-3M9 3h6v4H9zM9 12h6M9 16h4",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600L19 19M19 5l-1.400 1.400M6.400 17.600L5 19",
  moon: "M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500z",
  chart: "M4 20V4M4 20h16M7 15l4-5 3 3 5-7",
  play: "M7 4l13 8-13 8z",
  pause: "M8 5v14M16 5v14",
  stop: "M6 6h12v12H6z",
  close: "M6 6l12 12M18 6L6 18",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  trash: "M5 7h14M10 4h4M7 7l1 13h8l1-13M10 11v5M14 11v5",
  up: "M12 19V5M6 11l6-6 6 6",
  check: "M5 13l4 4L19 7",
  help: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.500 9.500a2.500 2.500 0 1 1 3.600 2.200c-.8.400-1.100.900-1.100 1.800M12 16.500v.1",
  keyboard: "M3 7h18v11H3zM7 11h.1M11 11h.1M15 11h.1M8 15h8",
  board: "M4 4h16v16H4zM4 12h16M12 4v16",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  trophy: "M7 4h10v6a5 5 0 0 1-10 0zM7 6H4c0 3 1 5 3.500 5M17 6h3c0 3-1 5-3.500 5M12 15v4M8 20h8",
  book: "M4 5c3-1 6-1 8 1v14c-2-2-5-2-8-1zM20 5c-3-1-6-1-8 1v14c2-2 5-2 8-1z",
  tree: "M4 12h4M8 12V6h4M8 12v6h4M12 4h8v4h-8zM12 16h8v4h-8z",
  list: "M9 6h11M9 12h11M9 18h11M4.500 6h.1M4.500 12h.1M4.500 18h.1",
  puzzle: "M10 4a2 2 0 1 1 4 0v2h5v5h-2a2 2 0 1 0 0 4h2v5H5v-5h2a2 2 0 1 0 0-4H5V6h5z",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  flag: "M6 21V4M6 5h12l-3 4 3 4H6",
  equal: "M5 9h14M5 15h14",
  people: "M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 20c0-4 3-6 6.500-6s6.500 2 6.500 6M16 11a3 3 0 1 0-1-5.800M17.500 14c2.500.5 4 2.500 4 6",
} as const;

export type Icon = keyof typeof PATHS;

export function icon(name: Icon): SVGElement {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: PATHS[name] }),
  );
}
