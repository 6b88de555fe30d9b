// How a page of the console is looked at, drawn once: at every width, in both themes, and zoomed to twice its size.

import type { Page } from 'playwright-core'
import { axeViolations, sidewaysScroll } from './payer.ts'
import { WIDTHS } from './staff.ts'

const LOOKS = {
  wide: { width: 1280, first: 'light', second: 'dark' },
  narrow: { width: 320, first: 'dark', second: 'light' },
} as const

// What is wrong with it, in words. Every rule is asked at the given width in one theme; the other theme differs in colour only. So
// a page that is looked at wide in one language and narrow in the other is seen in all of them.
export async function pageFaults(page: Page, look: keyof typeof LOOKS): Promise<string[]> {
  const { width, first, second } = LOOKS[look]
  const faults: string[] = []
  for (const part of ['closed', 'opened'] as const) {
    if (part === 'opened') await page.evaluate(OPEN_ALL)
    for (const one of WIDTHS) {
      const sideways = await sidewaysScroll(page, one)
      if (sideways > 0) faults.push(`${one} px, all ${part}: ${sideways} px sideways`)
    }
  }
  await page.evaluate(CLOSE_AGAIN)
  await page.setViewportSize({ width, height: 900 })
  for (const colorScheme of [first, second]) {
    await page.emulateMedia({ colorScheme })
    const found = await axeViolations(page, colorScheme === first ? 'all' : 'colours')
    faults.push(...found.map((fault) => `${width} px, ${colorScheme}: ${fault}`))
  }
  return look === 'wide' ? [...faults, ...(await zoomFaults(page))] : faults
}

// Which rules of the second style sheet would apply to a page that does not load it.
export async function missingStyles(page: Page, moreStyle: string): Promise<string[]> {
  return page.evaluate<string[]>(`(async () => {
    const address = (name) => [...document.querySelectorAll('link[rel=stylesheet]')].find(({ href }) => href.includes('/' + name + '.'))?.href
    if (address('more') !== undefined) return []
    const text = await (await fetch(new URL(${JSON.stringify(moreStyle)}, address('style')))).text()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    const rules = (list) => [...list].flatMap((rule) => (rule.selectorText === undefined ? rules(rule.cssRules ?? []) : [rule, ...rules(rule.cssRules)]))
    // What one does to an element, and what is drawn beside it, are left out: the element is there, or it is not.
    const still = (selector) => selector.replaceAll('::file-selector-button', 'input[type=file]').replaceAll(/::[a-z-]+|:(hover|focus|focus-visible|focus-within|active|checked|empty|open|popover-open)\\b/g, '').replaceAll(/(^|[ >+~,(])(?=[ >+~,)]|$)/g, '$1*')
    const own = new Set([...document.styleSheets].flatMap((one) => rules(one.cssRules)).map(({ cssText }) => cssText))
    return rules(sheet.cssRules).filter(({ cssText, selectorText }) => !own.has(cssText) && document.querySelector(still(selectorText)) !== null).map(({ selectorText }) => selectorText)
  })()`)
}

// What drops down or unfolds, such as the same call with curl.
const OPEN_ALL = `for (const one of document.querySelectorAll('main details:not([open])')) { one.open = true; one.dataset.opened = '' }`
const CLOSE_AGAIN = `for (const one of document.querySelectorAll('[data-opened]')) { one.open = false; delete one.dataset.opened }`

// 1280 × 800 at 200 %.
const ZOOMED = { width: 640, height: 400 }

// What is lost at 200 %: what can only be reached sideways, text that its box cuts off, and controls that something covers.
async function zoomFaults(page: Page): Promise<string[]> {
  await page.setViewportSize(ZOOMED)
  const faults = await page.evaluate<string[]>(LOST)
  return faults.map((fault) => `at 200 %: ${fault}`)
}

const CONTROLS = 'a[href], button, input:not([type=hidden]), select, textarea, summary'

// Text that ends with … is read in full on the page that its row leads to, or in its title.
const LOST = `(() => {
  const lost = []
  const { documentElement: root, body } = document
  if (root.scrollWidth > root.clientWidth) lost.push('sideways by ' + (root.scrollWidth - root.clientWidth) + ' px')
  const name = (one) => '<' + one.tagName.toLowerCase() + ' class="' + one.className + '"> ' + one.textContent.trim().slice(0, 40)
  const isForEyes = (one) => one.checkVisibility() && one.closest('.unseen, svg, .skip') === null
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const holder = text.parentElement
    if (text.data.trim() === '' || !isForEyes(holder)) continue
    range.selectNodeContents(text)
    const { left, right, top, bottom } = range.getBoundingClientRect()
    for (let box = holder; box !== null && box !== body; box = box.parentElement) {
      const { overflowX, overflowY, textOverflow, position, clipPath } = getComputedStyle(box)
      // For screen readers only.
      if (clipPath !== 'none') break
      const edge = box.getBoundingClientRect()
      const isCutX = /hidden|clip/.test(overflowX) && (right > edge.right + 1 || left < edge.left - 1)
      const isCutY = /hidden|clip/.test(overflowY) && (bottom > edge.bottom + 1 || top < edge.top - 1)
      if (textOverflow === 'ellipsis' && isCutX) break
      if (isCutX || isCutY) {
        lost.push('cut: ' + name(holder))
        break
      }
      if (/auto|scroll/.test(overflowX) || position === 'fixed') break
    }
  }
  for (const control of document.querySelectorAll('${CONTROLS}')) {
    if (!isForEyes(control) || control.matches(':disabled')) continue
    control.scrollIntoView({ block: 'center', inline: 'nearest' })
    const { left, right, top, bottom } = control.getClientRects()[0] ?? control.getBoundingClientRect()
    if (right - left < 1 || bottom - top < 1) continue
    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    const isThere = at !== null && (control.contains(at) || at.contains(control) || [...(control.labels ?? [])].some((label) => label.contains(at)))
    if (!isThere || left < -1 || right > innerWidth + 1) lost.push('out of reach: ' + name(control) + (at === null ? '' : ', behind ' + name(at)))
  }
  scrollTo(0, 0)
  return lost
})()`
