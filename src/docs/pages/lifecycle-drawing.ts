// Draws a lifecycle as SVG: states in rows by their distance from the start, one arrow per transition, narrow enough for a
// phone. Colours come from the stylesheet by class, so that one drawing serves light and dark.

import { type Html, html, trustedHtml } from '../../core/html.ts'
import type { Lifecycle } from '../../core/lifecycle.ts'
import { type LifecycleDoc, type Transition, transitionsOf } from './lifecycle-tables.ts'

export const STATE_BOX = { width: 98, height: 36 }
/** What a phone of 360 pixels shows beside its margins. */
export const WIDTH = 318
const ROW_HEIGHT = 104
const MARGIN_Y = 6
// Distance between the tips of arrows that end in the same box.
const TIP_DISTANCE = 12
// From an arrow to its label.
const LABEL_GAP = 5

/** The middle of a state's box. */
type Place = { readonly row: number; readonly x: number; readonly y: number }
type Layout = { readonly places: ReadonlyMap<string, Place>; readonly height: number }

export function drawLifecycle(doc: LifecycleDoc, id: string): Html {
  const { lifecycle, title } = doc
  const transitions = transitionsOf(lifecycle)
  const layout = layOut(lifecycle, transitions)
  const description = transitions
    .map(({ from, action, to }) => `${from} becomes ${to} by ${action}`)
    .join('; ')
  return html`<svg class="lifecycle" viewBox="0 0 ${WIDTH} ${layout.height}" width="${WIDTH}" height="${layout.height}" role="img" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">Lifecycle of ${title.toLowerCase()}</title><desc id="${id}-desc">${description}.</desc><defs><marker id="${id}-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>${transitions.map((transition) => arrow(transition, layout, transitions, id))}${[...layout.places].map(([state, place]) => box(state, place, lifecycle))}</svg>`
}

/** Exported for its test: no two boxes overlap, and all are inside the drawing. */
export function layOut(lifecycle: Lifecycle<string>, transitions: readonly Transition[]): Layout {
  const rows = Map.groupBy(Object.keys(lifecycle), (state) => rowOf(state, transitions))
  const places = new Map<string, Place>()
  for (const [row, states] of rows)
    for (const [column, state] of edgesFirst(states, row, transitions).entries())
      places.set(state, {
        row,
        x: (WIDTH * (2 * column + 1)) / (2 * states.length),
        y: MARGIN_Y + STATE_BOX.height / 2 + row * ROW_HEIGHT,
      })
  return { places, height: (rows.size - 1) * ROW_HEIGHT + STATE_BOX.height + 2 * MARGIN_Y }
}

// The longest path from a start state, so that arrows only point down.
function rowOf(state: string, transitions: readonly Transition[]): number {
  const before = transitions.filter(({ to }) => to === state)
  return before.length === 0 ? 0 : 1 + Math.max(...before.map(({ from }) => rowOf(from, transitions)))
}

// A state whose arrow skips a row goes to the left or right edge, where nothing is in the arrow's way.
function edgesFirst(states: readonly string[], row: number, transitions: readonly Transition[]): string[] {
  const isReachedPastRow = (state: string) =>
    transitions.some(({ from, to }) => to === state && rowOf(from, transitions) < row - 1)
  const [left, right, middle]: [string[], string[], string[]] = [[], [], []]
  for (const state of states) {
    if (!isReachedPastRow(state)) middle.push(state)
    else if (left.length <= right.length) left.push(state)
    else right.push(state)
  }
  return [...left, ...middle, ...right.reverse()]
}

function arrow(
  { from, action, to }: Transition,
  { places }: Layout,
  transitions: readonly Transition[],
  id: string,
): Html {
  const start = places.get(from) as Place
  const end = places.get(to) as Place
  const isShared = transitions.filter((transition) => transition.to === to).length > 1
  const isFar = end.row - start.row > 1
  const outward = Math.sign(end.x - start.x)
  const endX = end.x + (isShared ? outward * (isFar ? TIP_DISTANCE : -TIP_DISTANCE) : 0)
  const top = end.y - STATE_BOX.height / 2 - 2
  // The label is on the inner side of its arrow, where the drawing has room.
  const anchor = outward > 0 ? 'end' : 'start'
  const labelX = endX - (outward || -1) * LABEL_GAP
  if (isFar) {
    // The arrow leaves the box at its side, then goes straight down the edge of the drawing.
    const edge = start.x + (outward * STATE_BOX.width) / 2
    const path = `M${edge} ${start.y}C${endX} ${start.y} ${endX} ${start.y} ${endX} ${start.y + 42}V${top}`
    return labeledArrow(path, action, labelX, start.y + ROW_HEIGHT / 2, anchor, id)
  }
  const bottom = start.y + STATE_BOX.height / 2
  const middle = (bottom + top) / 2
  const path = `M${start.x} ${bottom}C${start.x} ${middle} ${endX} ${middle} ${endX} ${top}`
  // Near the end, where arrows from one box have diverged. That of a straight one is higher, above its neighbours'.
  return labeledArrow(path, action, labelX, top - (outward === 0 ? 25 : 10), anchor, id)
}

function labeledArrow(path: string, action: string, x: number, y: number, anchor: string, id: string): Html {
  return html`<path class="arrow" d="${path}" marker-end="url(#${id}-arrow)"/><text class="happening" x="${x}" y="${y}" text-anchor="${anchor}">${action}</text>`
}

function box(state: string, { x, y }: Place, lifecycle: Lifecycle<string>): Html {
  const isFinal = Object.keys(lifecycle[state] ?? {}).length === 0
  const tone = !isFinal ? 'open' : /CONFIRMED|COMPLETED/.test(state) ? 'good' : 'bad'
  const shape = `x="${x - STATE_BOX.width / 2}" y="${y - STATE_BOX.height / 2}" width="${STATE_BOX.width}" height="${STATE_BOX.height}" rx="9"`
  return html`<g class="state ${tone}">${trustedHtml(`<rect ${shape}/>`)}<text x="${x}" y="${y + 5}" text-anchor="middle">${state}</text></g>`
}
