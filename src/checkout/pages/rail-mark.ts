// A small drawing beside the name of a rail: a key for Bre-B, a bank for PSE. They are our own and stand for how one pays.
// The logos belong to Banco de la República and ACH Colombia. We know of no rule that lets others draw them, so the names
// stay words.

import type { Rail } from '../../core/connections/rail.ts'
import { type Html, trustedHtml } from '../../core/html.ts'

export function railMark(rail: Rail): Html {
  return trustedHtml(
    `<svg class="rail" viewBox="0 0 24 24" aria-hidden="true"><path d="${DRAWINGS[rail]}"/></svg>`,
  )
}

const DRAWINGS: Readonly<Record<Rail, string>> = {
  BRE_B: 'M11.5 12.5L20 4M16.5 7.5L20 11M8 21a5 5 0 100-10 5 5 0 000 10',
  PSE: 'M3 9.5L12 4l9 5.5zM5.5 10v7M10 10v7M14 10v7M18.5 10v7M3 20h18',
}
