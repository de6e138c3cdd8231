// Draws what a table says. A figure names the kind of picture, and its table has the data:
//
//   <figure class="chart" data-chart="bars">        or "line"
//     <figcaption>…</figcaption>
//     <details><summary>…</summary> <table> … </table></details>
//   </figure>
//
// The first column is the x axis. A cell of it says with data-x where it stands, in seconds for moments; without data-x
// the rows stand side by side. Its text is what the axis says, or data-tick where that is shorter. Every further column
// whose cells have data-y is a series, with the column's head as its name. Bars of several series stand on one another.

import uPlot from 'uplot';

const DRAWN = 'chart-drawn';
const NARROW_PX = 520;
const LETTER_PX = 7.5;
/** How many colours chart.css has. */
const COLOURS = 6;

interface Column {
  name: string;
  values: (number | null)[];
}

interface Table {
  head: string;
  xs: number[];
  labels: string[];
  ticks: string[];
  columns: Column[];
}

interface Drawn {
  plot: uPlot;
  table: Table;
  shape: string;
}

const drawn = new WeakMap<HTMLElement, Drawn>();
const language = document.documentElement.lang || 'en';

/** Draws the charts of a part of the page. Those that are there already get the present data. */
export function drawCharts(part: ParentNode): void {
  for (const figure of part.querySelectorAll<HTMLElement>('figure[data-chart]')) draw(figure);
}

/** Draws the charts of the page, and again when its colours or its width change. */
export function showCharts(): void {
  drawCharts(document);
  document.addEventListener('htmx:load', (event) => {
    if (event.target instanceof Element) drawCharts(event.target);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawAll);
  // Paper is light, whatever the screen is.
  addEventListener('beforeprint', () => paint(true));
  addEventListener('afterprint', () => paint(false));
}

function paint(forPaper: boolean): void {
  for (const figure of document.querySelectorAll('figure[data-chart]')) figure.classList.toggle('is-printed', forPaper);
  redrawAll();
}

function redrawAll(): void {
  for (const figure of document.querySelectorAll<HTMLElement>('figure[data-chart]')) {
    forget(figure);
    draw(figure);
  }
}

function forget(figure: HTMLElement): void {
  drawn.get(figure)?.plot.destroy();
  drawn.delete(figure);
}

const widths = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const plot = drawn.get(target as HTMLElement)?.plot;
    const size = sizeOf(target as HTMLElement);
    if (!plot) draw(target as HTMLElement);
    else if (size.width > 0 && size.width !== plot.width) plot.setSize(size);
  }
});

function sizeOf(figure: HTMLElement): { width: number; height: number } {
  const width = Math.floor(place(figure).clientWidth);
  return { width, height: width < NARROW_PX ? 200 : 260 };
}

/** The box that the chart is drawn in. What it shows is in the table too, so it is not read out. */
function place(figure: HTMLElement): HTMLElement {
  const there = figure.querySelector<HTMLElement>(`:scope > .${DRAWN}`);
  if (there) return there;
  const box = document.createElement('div');
  box.className = DRAWN;
  box.setAttribute('aria-hidden', 'true');
  // live.ts leaves what the page's own script has made.
  box.dataset.client = '';
  const caption = figure.querySelector(':scope > figcaption');
  if (caption) caption.after(box);
  else figure.prepend(box);
  widths.observe(figure);
  return box;
}

function draw(figure: HTMLElement): void {
  const box = place(figure);
  const table = read(figure);
  box.hidden = table.xs.length === 0;
  const size = sizeOf(figure);
  if (table.xs.length === 0 || size.width === 0) {
    forget(figure);
    return;
  }
  const shape = [figure.dataset.chart, ...table.columns.map((column) => column.name)].join('\n');
  const before = drawn.get(figure);
  if (before?.shape === shape) {
    // The functions of the plot read the table through this record.
    before.table = table;
    before.plot.setData(stacked(figure, table));
    return;
  }
  forget(figure);
  const record = { table, shape } as Drawn;
  record.plot = new uPlot(options(figure, record, size), stacked(figure, table), box);
  drawn.set(figure, record);
}

function read(figure: HTMLElement): Table {
  // uPlot's legend is a table too.
  const source = figure.querySelector<HTMLTableElement>('table:not(.u-legend)');
  const heads = [...(source?.tHead?.rows[0]?.cells ?? [])].map((head) => head.textContent.trim());
  const rows = [...(source?.tBodies[0]?.rows ?? [])].map((row) => [...row.cells]);
  const numbers = heads.map((_, at) => at).filter((at) => rows.some((row) => row[at]?.dataset.y !== undefined));
  const texts = rows.map((row) => row[0]?.textContent.trim() ?? '');
  return {
    head: heads[0] ?? '',
    xs: rows.map((row, at) => Number(row[0]?.dataset.x ?? at)),
    labels: texts,
    ticks: rows.map((row, at) => row[0]?.dataset.tick ?? texts[at] ?? ''),
    columns: numbers.map((at) => ({
      name: heads[at] ?? '',
      values: rows.map((row) => (row[at]?.dataset.y === undefined ? null : Number(row[at]?.dataset.y))),
    })),
  };
}

/** Bars stand on those of the columns before. The highest is drawn first, so the last column comes first. */
function stacked(figure: HTMLElement, table: Table): uPlot.AlignedData {
  const columns = table.columns.map((column) => column.values);
  if (figure.dataset.chart !== 'bars') return [table.xs, ...columns];
  const heights: number[][] = [];
  for (const column of columns) {
    const below = heights.at(-1);
    heights.push(column.map((value, at) => (value ?? 0) + (below?.[at] ?? 0)));
  }
  return [table.xs, ...heights.reverse()];
}

function options(figure: HTMLElement, record: Drawn, size: { width: number; height: number }): uPlot.Options {
  const bars = figure.dataset.chart === 'bars';
  const style = getComputedStyle(figure);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const font = `13px ${style.fontFamily}`;
  const numbered = record.table.columns.map((column, at) => ({ column, at }));
  const shown = bars ? numbered.reverse() : numbered;
  const axis = { stroke: colour('--muted'), font, ticks: { show: false } };
  return {
    ...size,
    padding: [12, 8, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { show: !bars } },
    scales: {
      x: { time: false, range: () => xRange(record.table.xs) },
      y: { range: (_, _least, most) => [0, Math.max(most ?? 0, 1) * 1.08] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        splits: (plot) => xTicks(record.table, plot),
        values: (_, splits) => splits.map((x) => record.table.ticks[record.table.xs.indexOf(x)] ?? ''),
      },
      {
        ...axis,
        grid: { stroke: colour('--line'), width: 1 },
        incrs: wholeSteps(),
        values: (_, splits) => splits.map((value) => value.toLocaleString(language)),
        size: (_, values) => 14 + LETTER_PX * Math.max(1, ...(values ?? []).map((value) => value.length)),
      },
    ],
    series: [
      { label: record.table.head, value: (_, _x, _series, at) => (at === null ? '—' : (record.table.labels[at] ?? '')) },
      ...shown.map(({ column, at }) => {
        const stroke = colour(`--chart-${(at % COLOURS) + 1}`);
        return {
          label: column.name,
          stroke,
          width: bars ? 0 : 2.5,
          points: { show: record.table.xs.length < 2 },
          ...(bars ? { fill: stroke, paths: uPlot.paths.bars!({ size: [0.75, 48], radius: 0.15 }) } : {}),
          value: (_: uPlot, _y: number, _series: number, row: number | null) =>
            row === null ? '—' : (record.table.columns[at]?.values[row]?.toLocaleString(language) ?? '—'),
        };
      }),
    ],
  };
}

/** The axis reaches half a step beyond the first and the last row, so that their bars are whole. */
function xRange(xs: number[]): [number, number] {
  const steps = xs.slice(1).map((x, at) => x - (xs[at] ?? x)).filter((step) => step > 0);
  const half = (steps.length > 0 ? Math.min(...steps) : 1) / 2;
  return [(xs[0] ?? 0) - half, (xs.at(-1) ?? 0) + half];
}

/** As many rows as have room for their words, at even distances. */
function xTicks(table: Table, plot: uPlot): number[] {
  const [from, to] = xRange(table.xs);
  const room = 18 + LETTER_PX * Math.max(...table.ticks.map((tick) => tick.length));
  const perPixel = (to - from) / Math.max(plot.width - 60, 1);
  const ticks: number[] = [];
  for (const x of table.xs) {
    const last = ticks.at(-1);
    if (last === undefined || x - last >= room * perPixel) ticks.push(x);
  }
  return ticks;
}

/** What is counted, and money too, has no parts. */
function wholeSteps(): number[] {
  const steps: number[] = [];
  for (let power = 1; power <= 1e12; power *= 10) steps.push(power, 2 * power, 5 * power);
  return steps;
}
