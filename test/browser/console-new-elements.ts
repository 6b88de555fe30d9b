// What a page shows that no earlier one did: axe need not look at the same elements on page after page, and what it computes grows
// faster than a page. The rest is taken out while it looks, and put back.
//
// An element is known by its kind: where it is, what it is, and everything about it that a rule could mind. How it is called is not
// part of it, whether it is called anything is. The first three of a kind on a page count, because neighbours can look otherwise.

// In a page, with the kinds that were seen. Answers the kinds that are new, and the ids that more than one element has, which axe
// would miss if one of them was taken out.
export const KEEP_NEW = `(seenBefore) => {
  const seen = new Set(seenBefore)
  const VALUES = /^(aria-(current|invalid|selected|disabled|expanded|pressed|checked|hidden|live|modal|sort)|role|type|lang|dir|tabindex|scope|autocomplete|colspan|rowspan|open|hidden|disabled|popover|inert|data-theme)$/
  const REFERENCES = /^(for|list|form|popovertarget|aria-(labelledby|describedby|controls|owns|details|errormessage))$/

  const attribute = ({ name, value }) => {
    if (VALUES.test(name)) return name + '=' + value
    if (REFERENCES.test(name)) return name + (value.split(/\\s+/).every((id) => document.getElementById(id) !== null) ? '' : '=nobody')
    return name + (value.trim() === '' ? '=' : '')
  }
  const scrolls = (one) => one.scrollWidth > one.clientWidth && /auto|scroll/.test(getComputedStyle(one).overflowX)
  const classes = (one) => one.tagName + '.' + (one.className.baseVal ?? one.className)
  // What its style can depend on, and that of what is in it. The page's own names for its script are on its body.
  const styledBy = (one) => classes(one) + [...one.attributes].filter(({ name }) => VALUES.test(name) || (name.startsWith('data-') && one !== document.body)).map(attribute).sort()
  const kindOf = (one) => [
    styledBy(one), ...[...one.attributes].filter(({ name }) => !name.startsWith('data-')).map(attribute).sort(),
    one.previousElementSibling && classes(one.previousElementSibling), one.nextElementSibling === null, one.labels?.length,
    one.textContent.trim() === '', one.checkVisibility(), scrolls(one),
  ].join(' ')
  const hash = (text, from) => {
    let sum = from
    for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
    return sum >>> 0
  }

  const counts = new Map()
  const kinds = new Set()
  const fresh = new Set()
  const withNew = new Set()
  const visit = (one, place) => {
    const own = hash(kindOf(one), place)
    const count = (counts.get(own) ?? 0) + 1
    counts.set(own, count)
    const kind = hash(String(count), own)
    let hasNew = count <= 3 && !seen.has(kind)
    if (hasNew) kinds.add(kind) && fresh.add(one)
    const path = hash(styledBy(one), place)
    for (const child of one.children) if (visit(child, path)) hasNew = true
    if (hasNew) withNew.add(one)
    return hasNew
  }
  visit(document.body, hash(styledBy(document.documentElement), 0x811c9dc5))

  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  const repeatedIds = ids.filter((id, at) => ids.indexOf(id) !== at)

  // What the rules need to judge the rest by: the order of headings, names, what is beside it, and what would be incomplete without a
  // part of it.
  const WHOLE = 'dl, tr, details, fieldset, select, svg, button, a, summary, p, label, figure'
  const TITLES = 'h1, h2, h3, h4, h5, h6, label'
  const REST_OF_TABLE = 'thead, caption, tbody > tr:first-child'
  const named = new Set([...document.querySelectorAll('[aria-labelledby], [aria-describedby]')].flatMap((one) =>
    [one.getAttribute('aria-labelledby'), one.getAttribute('aria-describedby')].join(' ').split(/\\s+/)).filter((id) => id !== ''))
  const names = (one) => one.matches(TITLES) || named.has(one.id)
  const holdsNames = (one) => one.querySelector(TITLES) !== null || [...one.querySelectorAll('[id]')].some(names)
  const isBeside = (one) => fresh.has(one.previousElementSibling) || fresh.has(one.nextElementSibling)
  const taken = []
  const take = (parent) => {
    if (parent.matches(WHOLE)) return
    for (const one of parent.children) {
      if (withNew.has(one) || one.matches('tbody')) take(one)
      else if (names(one) || isBeside(one) || one.matches(REST_OF_TABLE)) continue
      else if (holdsNames(one)) take(one)
      else taken.push(one)
    }
  }
  if (kinds.size > 0) take(document.body)
  window.takenOut = taken.map((part) => {
    const place = document.createComment('')
    part.replaceWith(place)
    return [place, part]
  })
  return { kinds: [...kinds], repeatedIds }
}`

export const PUT_BACK = `for (const [place, part] of window.takenOut ?? []) place.replaceWith(part)
delete window.takenOut`
