// The merchant's colour as CSS, readable on both backgrounds.

import { readableAccent } from '../../core/accent-color.ts'

/** The CSS for a merchant's colour. Undefined if it has none, or none that is a valid colour. */
export function accentStyle(accentColor: string | null): string | undefined {
  const [light, dark] = (['light', 'dark'] as const).map((scheme) =>
    accentColor === null ? undefined : readableAccent(accentColor, scheme),
  )
  if (light === undefined) return undefined
  return `:root{--accent:${light}}@media(prefers-color-scheme:dark){:root{--accent:${dark}}}`
}
