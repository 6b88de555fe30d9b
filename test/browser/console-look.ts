// How a page of the console is looked at, drawn once: at every width, in both themes, and zoomed to twice its size.

import type { Page } from 'playwright-core'
import { axeViolations, sidewaysScroll } from './payer.ts'
import { WIDTHS } from './staff.ts'

// fit: does it fit? content: and what axe finds in it, without the frame that all pages have. whole: with the frame, in every pair of
// width and theme.
type Look = 'fit' | 'content' | 'whole'

// What is wrong with it, in words. What a page has in one language it has in the other: one of them is enough for axe, and in both it
// must fit. Every rule is asked wide and light. In the dark the colours differ; on a narrow screen other elements are shown, and some
// scroll.
export async function consolePageFaults(page: Page, look: Look): Promise<string[]> {
  const faults: string[] = []
  // What is closed takes no more room than what is opened.
  await page.evaluate(OPEN_ALL)
  for (const width of WIDTHS) {
    const sideways = await sidewaysScroll(page, width)
    if (sideways > 0) faults.push(`${width} px, all opened: ${sideways} px sideways`)
  }
  await page.evaluate(CLOSE_AGAIN)
  if (look === 'fit') return faults
  if (look === 'content') await page.evaluate(WITHOUT_FRAME)
  faults.push(
    ...(await axeFaults(page, 1280, 'light', 'all')),
    ...(await axeFaults(page, 1280, 'dark', 'colours')),
    ...(await axeFaults(page, 320, 'light', look === 'whole' ? 'all' : 'colours and width')),
    ...(look === 'whole' ? await axeFaults(page, 320, 'dark', 'colours') : []),
  )
  await page.evaluate(WITH_FRAME)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...faults, ...(await zoomFaults(page))]
}

type Rules = Parameters<typeof axeViolations>[1]

async function axeFaults(
  page: Page,
  width: number,
  colorScheme: 'light' | 'dark',
  rules: Rules,
): Promise<string[]> {
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme })
  return (await axeViolations(page, rules)).map((fault) => `${width} px, ${colorScheme}: ${fault}`)
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

// Half of what axe would look at. The places stay, so that the content keeps its own.
const FRAME = '.side > *, .bottom > *, dialog:not([open])'
const WITHOUT_FRAME = `window.frameParts = [...document.querySelectorAll('${FRAME}')].map((part) => {
  const place = document.createComment('')
  part.replaceWith(place)
  return [place, part]
})`
const WITH_FRAME = `for (const [place, part] of window.frameParts ?? []) place.replaceWith(part)
delete window.frameParts`

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
