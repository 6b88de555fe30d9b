// How a page of the console is looked at, drawn once: at every width, in both themes, and zoomed to twice its size.

import type { Page } from 'playwright-core'
import { byDepth } from '../depth.ts'
import { KEEP_NEW, PUT_BACK } from './console-new-elements.ts'
import { axeViolations, sidewaysScroll } from './payer.ts'
import { WIDTHS } from './staff.ts'

// fit: does it fit? content: and what axe finds in it. whole: in every pair of width and theme.
type Look = 'fit' | 'content' | 'whole'

// The elements that axe has looked at in this process, by their kinds.
const seen = new Set<number>()

type Rules = Parameters<typeof axeViolations>[1]
type Pair = readonly [width: number, theme: 'light' | 'dark', rules: Rules]

const [NARROW, , WIDE] = WIDTHS
// What is between them is seen at 200 % too. The narrow one is last, and is looked at first.
const FIT_WIDTHS = byDepth<readonly number[]>([WIDE, NARROW], WIDTHS.toReversed())
// A colour has one value for each theme, whatever the width: each theme is seen with one.
const TWO_PAIRS: readonly Pair[] = [
  [NARROW, 'dark', 'colours and width'],
  [WIDE, 'light', 'all'],
]
const OTHER_PAIRS: readonly Pair[] = [
  [NARROW, 'light', 'colours'],
  [WIDE, 'dark', 'colours'],
]
const EVERY_PAIR: readonly Pair[] = [
  [NARROW, 'light', 'all, and width'],
  [NARROW, 'dark', 'colours'],
  [WIDE, 'light', 'all'],
  [WIDE, 'dark', 'colours'],
]

// What is wrong with it, in words. What a page has in one language it has in the other: one of them is enough for axe, and in both it
// must fit. Every rule is asked wide and light. In the dark the colours differ; on a narrow screen other elements are shown, and some
// scroll. What a page has in common with an earlier one, such as its frame, axe looks at once.
export async function consolePageFaults(page: Page, look: Look): Promise<string[]> {
  const faults: string[] = []
  const checkWidth = async (width: number): Promise<void> => {
    // What is closed takes no more room than what is opened.
    await page.evaluate(OPEN_ALL)
    const sideways = await sidewaysScroll(page, width)
    if (sideways > 0) faults.push(`${width} px, all opened: ${sideways} px sideways`)
    await page.evaluate(CLOSE_AGAIN)
  }
  for (const width of FIT_WIDTHS) await checkWidth(width)
  if (look === 'fit') return faults
  const { kinds, repeatedIds } = await page.evaluate<{ kinds: number[]; repeatedIds: string[] }>(
    `(${KEEP_NEW})(${JSON.stringify(look === 'whole' ? [] : [...seen])})`,
  )
  if (repeatedIds.length > 0) faults.push(`more than one element is called ${repeatedIds.join(', ')}`)
  if (kinds.length > 0) {
    for (const kind of kinds) seen.add(kind)
    const pairs = look === 'whole' ? EVERY_PAIR : [...TWO_PAIRS, ...byDepth([], OTHER_PAIRS)]
    for (const [width, theme, rules] of pairs) faults.push(...(await axeFaults(page, width, theme, rules)))
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await page.evaluate(PUT_BACK)
  return [...faults, ...(await zoomFaults(page))]
}

async function axeFaults(
  page: Page,
  width: number,
  colorScheme: 'light' | 'dark',
  rules: Rules,
): Promise<string[]> {
  if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme })
  return (await axeViolations(page, rules)).map((fault) => `${width} px, ${colorScheme}: ${fault}`)
}

// Whether an answer fits every width, without a navigation: laid out in a frame, where nothing of it is run. The page must stand
// outside of the policy (bypassCSP).
export async function answerFitFaults(page: Page, html: string): Promise<string[]> {
  const { sideways, isStyled } = await page.evaluate<{
    sideways: number[]
    isStyled: boolean
  }>(`(async () => {
    const frame = document.createElement('iframe')
    frame.sandbox = 'allow-same-origin'
    frame.style.cssText = 'position: fixed; top: 0; left: 0; border: 0; height: 780px'
    frame.srcdoc = ${JSON.stringify(html)}
    const loaded = new Promise((told) => frame.addEventListener('load', told))
    document.body.append(frame)
    await loaded
    const { contentDocument: shown } = frame
    await shown.fonts.ready
    for (const one of shown.querySelectorAll('main details')) one.open = true
    const sideways = ${JSON.stringify(WIDTHS)}.map((width) => {
      frame.style.width = width + 'px'
      return shown.documentElement.scrollWidth - shown.documentElement.clientWidth
    })
    const isStyled = [...shown.styleSheets].some(({ cssRules }) => cssRules.length > 0)
    frame.remove()
    return { sideways, isStyled }
  })()`)
  if (!isStyled) return ['its style was not loaded']
  return WIDTHS.flatMap((width, at) =>
    (sideways[at] ?? 0) > 0 ? [`${width} px, all opened: ${sideways[at]} px sideways`] : [],
  )
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
