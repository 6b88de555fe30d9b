// Draws a lifecycle as SVG: states in columns by their distance from the start, one arrow per transition. Colours come
// from the stylesheet by class, so that one drawing serves light and dark.

import { type Html, html, trustedHtml } from '../../core/html.ts'
import type { Lifecycle } from '../../core/lifecycle.ts'
import { type LifecycleDoc, type Transition, transitionsOf } from './lifecycle-tables.ts'

const BOX = { width: 118, height: 38 }
const COLUMN_WIDTH = 240
const ROW_HEIGHT = 76
const MARGIN = { x: 6, y: 26 }
// Distance between the tips of arrows that end in the same box.
const TIP_DISTANCE = 11

type Place = { readonly column: number; readonly x: number; readonly y: number }
type Layout = {
  readonly places: ReadonlyMap<string, Place>
  readonly width: number
  readonly height: number
}

export function drawLifecycle(doc: LifecycleDoc, id: string): Html {
  const { lifecycle, title } = doc
  const transitions = transitionsOf(lifecycle)
  const layout = layOut(lifecycle, transitions)
  const description = transitions
    .map(({ from, action, to }) => `${from} becomes ${to} by ${action}`)
    .join('; ')
  return html`<svg class="lifecycle" viewBox="0 0 ${layout.width} ${layout.height}" width="${layout.width}" height="${layout.height}" role="img" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">Lifecycle of ${title.toLowerCase()}</title><desc id="${id}-desc">${description}.</desc><defs><marker id="${id}-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>${transitions.map((transition) => arrow(transition, layout, transitions, id))}${[...layout.places].map(([state, place]) => box(state, place, lifecycle))}</svg>`
}

/** Exported for its test: no two boxes overlap, and all are inside the drawing. */
export function layOut(lifecycle: Lifecycle<string>, transitions: readonly Transition[]): Layout {
  const columns = Map.groupBy(Object.keys(lifecycle), (state) => columnOf(state, transitions))
  const tallest = Math.max(...[...columns.values()].map((states) => states.length))
  const height = (tallest - 1) * ROW_HEIGHT + BOX.height + 2 * MARGIN.y
  const width = (columns.size - 1) * COLUMN_WIDTH + BOX.width + 2 * MARGIN.x
  const places = new Map<string, Place>()
  for (const [column, states] of columns) {
    const top = height / 2 - ((states.length - 1) * ROW_HEIGHT) / 2
    for (const [row, state] of edgesFirst(states, column, transitions).entries())
      places.set(state, { column, x: MARGIN.x + column * COLUMN_WIDTH, y: top + row * ROW_HEIGHT })
  }
  return { places, width, height }
}

// The longest path from a start state, so that arrows only point right.
function columnOf(state: string, transitions: readonly Transition[]): number {
  const before = transitions.filter(({ to }) => to === state)
  return before.length === 0 ? 0 : 1 + Math.max(...before.map(({ from }) => columnOf(from, transitions)))
}

// A state whose arrow skips a column goes to the top or bottom edge, where nothing is in the arrow's way.
function edgesFirst(states: readonly string[], column: number, transitions: readonly Transition[]): string[] {
  const isReachedPastColumn = (state: string) =>
    transitions.some(({ from, to }) => to === state && columnOf(from, transitions) < column - 1)
  const [top, bottom, middle]: [string[], string[], string[]] = [[], [], []]
  for (const state of states) {
    if (!isReachedPastColumn(state)) middle.push(state)
    else if (top.length <= bottom.length) top.push(state)
    else bottom.push(state)
  }
  return [...top, ...middle, ...bottom.reverse()]
}

function arrow(
  { from, action, to }: Transition,
  { places }: Layout,
  transitions: readonly Transition[],
  id: string,
): Html {
  const start = places.get(from) as Place
  const end = places.get(to) as Place
  const shared = transitions.filter((transition) => transition.to === to).length > 1
  const isFar = end.column - start.column > 1
  const isAlone = layoutRows(places, end.column) === 1
  const outward = Math.sign(end.y - start.y)
  const endY = end.y + (shared ? outward * (isFar ? TIP_DISTANCE : -TIP_DISTANCE) : 0)
  const startX = start.x + BOX.width
  if (isFar) {
    // The arrow leaves the box at the top or bottom, then follows the edge.
    const rise = start.x + BOX.width / 2
    const edge = start.y + (outward * BOX.height) / 2
    const turn = rise + 42
    const path = `M${rise} ${edge}C${rise} ${endY} ${rise} ${endY} ${turn} ${endY}H${end.x - 2}`
    return labeledArrow(path, action, (turn + end.x) / 2, endY - 6, id)
  }
  const middle = (startX + end.x) / 2
  const path = `M${startX} ${start.y}C${middle} ${start.y} ${middle} ${endY} ${end.x - 2} ${endY}`
  // The label is on the outer side of its arrow, away from other arrows, and near the end, where they have diverged.
  return labeledArrow(
    path,
    action,
    startX + (end.x - startX) * (isAlone ? 0.5 : 0.68),
    endY + (outward > 0 ? 15 : -6),
    id,
  )
}

function layoutRows(places: ReadonlyMap<string, Place>, column: number): number {
  return [...places.values()].filter((place) => place.column === column).length
}

function labeledArrow(path: string, action: string, x: number, y: number, id: string): Html {
  return html`<path class="arrow" d="${path}" marker-end="url(#${id}-arrow)"/><text class="happening" x="${x}" y="${y}" text-anchor="middle">${action}</text>`
}

function box(state: string, { x, y }: Place, lifecycle: Lifecycle<string>): Html {
  const isFinal = Object.keys(lifecycle[state] ?? {}).length === 0
  const tone = !isFinal ? 'open' : /CONFIRMED|COMPLETED/.test(state) ? 'good' : 'bad'
  const shape = `x="${x}" y="${y - BOX.height / 2}" width="${BOX.width}" height="${BOX.height}" rx="9"`
  return html`<g class="state ${tone}">${trustedHtml(`<rect ${shape}/>`)}<text x="${x + BOX.width / 2}" y="${y + 5}" text-anchor="middle">${state}</text></g>`
}
