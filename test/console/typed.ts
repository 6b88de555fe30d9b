// Reads a page's form as a browser does: what it would send if somebody pressed its button, with what they typed.

import assert from 'node:assert/strict'

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

export function plain(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] as string)
}

// The form that is sent to this address (after the organization's), with its values.
export function formAt(page: string, action: string): Record<string, string> {
  const form = [...page.matchAll(/<form[^>]* action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].find(
    ([, to = '']) => to.endsWith(action),
  )
  assert.ok(form, `there is a form for ${action}`)
  const typed: Record<string, string> = {}
  const inner = form[2] ?? ''
  const named = (tag: string) => plain(/ name="([^"]*)"/.exec(tag)?.[1] ?? '')
  for (const [tag] of inner.matchAll(/<input[^>]*>/g)) {
    const isBox = / type="(?:radio|checkbox)"/.test(tag)
    if (named(tag) === '' || / type="file"/.test(tag) || (isBox && !/ checked/.test(tag))) continue
    typed[named(tag)] = plain(/ value="([^"]*)"/.exec(tag)?.[1] ?? '')
  }
  for (const [, tag = '', text = ''] of inner.matchAll(/(<textarea[^>]*>)([\s\S]*?)<\/textarea>/g))
    typed[named(tag)] = plain(text)
  for (const [, tag = '', options = ''] of inner.matchAll(/(<select[^>]*>)([\s\S]*?)<\/select>/g)) {
    const chosen = /<option value="([^"]*)" selected/.exec(options) ?? /<option value="([^"]*)"/.exec(options)
    typed[named(tag)] = plain(chosen?.[1] ?? '')
  }
  return typed
}

// What the form of settings showed, which it sends so that nothing is overwritten that somebody else changed meanwhile.
export function seenFieldOf(page: string): string {
  return plain(/name="_seen" value="([^"]*)"/.exec(page)?.[1] ?? assert.fail('the form has what it showed'))
}

// The ids of the rows of a list, from the top.
export function listedRowIds(page: string): string[] {
  return [...page.matchAll(/<tr id="row-([0-9a-f-]+)"/g)].map(([, id]) => id as string)
}

// What is said about a field, at the field.
export function wrongAt(page: string, path: string): string | undefined {
  const id = `field${path.replaceAll(/[^\w]/g, '-')}-problem`
  const wrong = new RegExp(`id="${id}">([^<]*)<`).exec(page)?.[1]
  return wrong === undefined ? undefined : plain(wrong)
}

// Markup that must never become any.
export const HOSTILE = '<script>alert(1)</script>"><img src=x onerror=alert(2)>\'&amp;'

export function assertHarmless(page: string): void {
  assert.ok(!page.includes('<script>alert'), 'no markup of theirs')
  assert.ok(!page.includes('<img src=x'), 'no markup of theirs')
}

// A page is too long to be printed by a test that fails.
export function shows(page: string, what: RegExp | string): void {
  const isThere = typeof what === 'string' ? page.includes(what) : what.test(page)
  assert.ok(isThere, `the page shows ${what}`)
}
