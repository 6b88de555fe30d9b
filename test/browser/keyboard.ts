// Somebody who has a keyboard and no mouse: every stop on their way shows that it has the focus, and is in sight.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Role } from '../../src/core/team/role.ts'
import type { User } from '../../src/core/team/user.ts'
import type { People } from '../flows/team/people.ts'

// What has the focus: what it is called, whether its ring is seen, and whether it is in sight.
export type Stop = { readonly name: string; readonly ring: boolean; readonly inSight: boolean }

export const STOP = `(() => {
  const one = document.activeElement
  const ringed = [getComputedStyle(one), getComputedStyle(one, '::after')].some(({ outlineStyle, outlineWidth, outlineColor }) =>
    outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && !/, 0\\)$|transparent/.test(outlineColor))
  const { left, right, top, bottom, width, height } = one.getBoundingClientRect()
  const label = one.labels?.[0]?.textContent ?? one.getAttribute('aria-label') ?? one.textContent
  const middle = document.elementFromPoint((left + right) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2)
  return {
    name: one.tagName === 'BODY' ? '' : label.replaceAll(/\\s+/g, ' ').trim(),
    ring: ringed,
    inSight: width > 0 && height > 0 && left >= 0 && right <= innerWidth && bottom > 0 && top < innerHeight &&
      middle !== null && (one.contains(middle) || middle.contains(one) || one.labels?.[0]?.contains(middle) === true),
  }
})()`

const MOST_STOPS = 60
const SKIP = 'Ir al contenido'

// Whether what has this name is in the content, past the frame.
const isInContent = (page: Page, name: RegExp): Promise<boolean> =>
  page.evaluate<boolean>(`[...document.querySelectorAll('main :is(a, button, input, select, textarea, summary)')].some((one) =>
    one.checkVisibility() && ${name}.test((one.labels?.[0]?.textContent ?? one.getAttribute('aria-label') ?? one.textContent).replaceAll(/\\s+/g, ' ').trim()))`)

// Presses Tab until the focus is on what has this name, and skips the frame if it is past it. The ring is seen at every stop on the way.
export async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: string[] = []
  while (passed.length < MOST_STOPS) {
    await page.keyboard.press(key)
    const stop = await page.evaluate<Stop>(STOP)
    // Between the last stop and the first the focus is the browser's own.
    if (stop.name !== '')
      assert.deepEqual(
        [stop.ring, stop.inSight],
        [true, true],
        `${page.url()}: “${stop.name}” shows its focus`,
      )
    if (name.test(stop.name)) return
    passed.push(stop.name)
    if (stop.name === SKIP && (await isInContent(page, name))) await page.keyboard.press('Enter')
  }
  assert.fail(`${name} is not among ${passed.join(' | ')}`)
}

export function keysOf(page: Page) {
  return {
    typeInto: async (name: RegExp, text: string): Promise<void> => {
      await tabTo(page, name)
      await page.keyboard.type(text)
    },
    press: async (name: RegExp): Promise<void> => {
      await tabTo(page, name)
      await page.keyboard.press('Enter')
    },
  }
}

// An app shows each code once: the one that enabled it is of two minutes ago, so that two are left for now.
const AGO_MS = 120_000

// With a password and an app.
export async function memberWithApp(
  people: People,
  role: Role = 'owner',
): Promise<{ user: User; codes: [first: string, second: string] }> {
  const user = await people.withPassword()
  await people.join(user, role)
  people.pass(-AGO_MS)
  const { codeAt } = await people.withApp(user)
  people.pass(AGO_MS)
  const now = Date.now()
  return { user, codes: [codeAt(now), codeAt(now + 30_000)] }
}
