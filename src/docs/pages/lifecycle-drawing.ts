// Draws a lifecycle as SVG: states in columns by how far they are from the start, one arrow for each transition. The one
// thing to know: colours come from the stylesheet by class, so that one drawing serves light and dark.

import { type Html, html, trustedHtml } from '../../core/html.ts'
import type { Lifecycle } from '../../core/lifecycle.ts'
import { type LifecycleStory, type Transition, transitionsOf } from './lifecycle-tables.ts'

const BOX = { width: 118, height: 38 }
const COLUMN_WIDTH = 240
const ROW_HEIGHT = 76
const MARGIN = { x: 6, y: 26 }
// Arrows that end in the same box end this far apart.
const APART = 11

type Place = { readonly column: number; readonly x: number; readonly y: number }
type Layout = {
  readonly places: ReadonlyMap<string, Place>
  readonly width: number
  readonly height: number
}

export function drawLifecycle(story: LifecycleStory, id: string): Html {
  const { lifecycle, title } = story
  const transitions = transitionsOf(lifecycle)
  const layout = layOut(lifecycle, transitions)
  const told = transitions
    .map(({ from, happening, to }) => `${from} becomes ${to} by ${happening}`)
    .join('; ')
  return html`<svg class="lifecycle" viewBox="0 0 ${layout.width} ${layout.height}" width="${layout.width}" height="${layout.height}" role="img" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">Lifecycle of ${title.toLowerCase()}</title><desc id="${id}-desc">${told}.</desc><defs><marker id="${id}-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>${transitions.map((transition) => arrow(transition, layout, transitions, id))}${[...layout.places].map(([state, place]) => box(state, place, lifecycle))}</svg>`
}

/** Exported for its test: no two boxes overlap, all are inside. */
export function layOut(lifecycle: Lifecycle<string>, transitions: readonly Transition[]): Layout {
  const columns = Map.groupBy(Object.keys(lifecycle), (state) => columnOf(state, transitions))
  const tallest = Math.max(...[...columns.values()].map((states) => states.length))
  const height = (tallest - 1) * ROW_HEIGHT + BOX.height + 2 * MARGIN.y
  const width = (columns.size - 1) * COLUMN_WIDTH + BOX.width + 2 * MARGIN.x
  const places = new Map<string, Place>()
  for (const [column, states] of columns) {
    const top = height / 2 - ((states.length - 1) * ROW_HEIGHT) / 2
    for (const [row, state] of outsideFirst(states, column, transitions).entries())
      places.set(state, { column, x: MARGIN.x + column * COLUMN_WIDTH, y: top + row * ROW_HEIGHT })
  }
  return { places, width, height }
}

// The longest way from a start: arrows only go right.
function columnOf(state: string, transitions: readonly Transition[]): number {
  const before = transitions.filter(({ to }) => to === state)
  return before.length === 0 ? 0 : 1 + Math.max(...before.map(({ from }) => columnOf(from, transitions)))
}

// A state that is reached past a column stands at the rim, where the way to it is free.
function outsideFirst(
  states: readonly string[],
  column: number,
  transitions: readonly Transition[],
): string[] {
  const isReachedFromAfar = (state: string) =>
    transitions.some(({ from, to }) => to === state && columnOf(from, transitions) < column - 1)
  const [top, bottom, middle]: [string[], string[], string[]] = [[], [], []]
  for (const state of states) {
    if (!isReachedFromAfar(state)) middle.push(state)
    else if (top.length <= bottom.length) top.push(state)
    else bottom.push(state)
  }
  return [...top, ...middle, ...bottom.reverse()]
}

function arrow(
  { from, happening, to }: Transition,
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
  const endY = end.y + (shared ? outward * (isFar ? APART : -APART) : 0)
  const startX = start.x + BOX.width
  if (isFar) {
    // Out of the box above or below, then along the rim.
    const rise = start.x + BOX.width / 2
    const edge = start.y + (outward * BOX.height) / 2
    const turn = rise + 42
    const path = `M${rise} ${edge}C${rise} ${endY} ${rise} ${endY} ${turn} ${endY}H${end.x - 2}`
    return drawn(path, happening, (turn + end.x) / 2, endY - 6, id)
  }
  const middle = (startX + end.x) / 2
  const path = `M${startX} ${start.y}C${middle} ${start.y} ${middle} ${endY} ${end.x - 2} ${endY}`
  // A word stands on the outer side of its arrow, where no other comes from, and near the end, where they have parted.
  return drawn(
    path,
    happening,
    startX + (end.x - startX) * (isAlone ? 0.5 : 0.68),
    endY + (outward > 0 ? 15 : -6),
    id,
  )
}

function layoutRows(places: ReadonlyMap<string, Place>, column: number): number {
  return [...places.values()].filter((place) => place.column === column).length
}

function drawn(path: string, happening: string, x: number, y: number, id: string): Html {
  return html`<path class="arrow" d="${path}" marker-end="url(#${id}-arrow)"/><text class="happening" x="${x}" y="${y}" text-anchor="middle">${happening}</text>`
}

function box(state: string, { x, y }: Place, lifecycle: Lifecycle<string>): Html {
  const isFinal = Object.keys(lifecycle[state] ?? {}).length === 0
  const tone = !isFinal ? 'open' : /CONFIRMED|COMPLETED/.test(state) ? 'good' : 'bad'
  const shape = `x="${x}" y="${y - BOX.height / 2}" width="${BOX.width}" height="${BOX.height}" rx="9"`
  return html`<g class="state ${tone}">${trustedHtml(`<rect ${shape}/>`)}<text x="${x + BOX.width / 2}" y="${y + 5}" text-anchor="middle">${state}</text></g>`
}
