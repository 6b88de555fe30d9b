// Makes the merchant's colour readable. The colour is moved towards black (on the light background) or white (on the
// dark one) until text in it can be read there. Then text in the background's colour can be read on it, too, so one
// colour serves links, borders and buttons.

type Color = readonly [number, number, number]

// The colours of the card and the page of payers, and the colour towards which unreadable ones are moved.
export const BACKGROUNDS = {
  light: { card: '#ffffff', page: '#f4f5f2', towards: [0, 0, 0] },
  dark: { card: '#18201d', page: '#0e1412', towards: [255, 255, 255] },
} as const
// WCAG AA for text.
export const READABLE_CONTRAST = 4.5
const STEPS = 50

/** The colour as payers see it. Undefined if it is no colour, such as #0b5c4a. */
export function readableAccent(accentColor: string, scheme: keyof typeof BACKGROUNDS): string | undefined {
  const color = readColor(accentColor)
  return color && writeColor(readable(color, scheme))
}

/** The WCAG contrast of two colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => luminance(readColor(text) as Color) + 0.05) as [number, number]
  return Math.max(a, b) / Math.min(a, b)
}

function readable(color: Color, scheme: keyof typeof BACKGROUNDS): Color {
  const { card, page, towards } = BACKGROUNDS[scheme]
  for (let step = 0; step < STEPS; step++) {
    const mixed = color.map((part, index) =>
      Math.round(part + (((towards[index] as number) - part) * step) / STEPS),
    ) as unknown as Color
    const text = writeColor(mixed)
    if (Math.min(contrast(text, card), contrast(text, page)) >= READABLE_CONTRAST) return mixed
  }
  return towards
}

function readColor(text: string): Color | undefined {
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text)?.slice(1)
  return parts?.map((part) => Number.parseInt(part, 16)) as Color | undefined
}

function writeColor(color: Color): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function luminance(color: Color): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
