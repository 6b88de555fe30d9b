// Writes what is typed into the drawing of the payment page beside the form, as it is typed.

/** @type {Record<string, (value: string) => void>} */
const shows = {
  amount: (value) => write('amount', amountText(value)),
  about: (value) => write('about', value),
  name: (value) => {
    write('name', value)
    write('initial', value.trim().slice(0, 1).toUpperCase())
  },
  // What the link leaves out stands back.
  rail: (value) => {
    for (const way of document.querySelectorAll('[data-rail]'))
      way.setAttribute('opacity', value && way.getAttribute('data-rail') !== value ? '0.25' : '1')
  },
  accent: (value) => {
    if (/^#[0-9a-f]{6}$/i.test(value))
      for (const part of document.querySelectorAll('[data-accent]'))
        part.setAttribute(part.getAttribute('data-accent') ?? '', value)
  },
}

/** @param {string} what @param {string} text */
const write = (what, text) => {
  for (const place of document.querySelectorAll(`[data-preview="${what}"]`)) {
    const limit = Number(place.getAttribute('data-limit') ?? 99)
    place.textContent = text.length > limit ? `${text.slice(0, limit - 1)}…` : text
  }
}

/** @param {string} value */
const amountText = (value) => {
  const mark = document.documentElement.lang === 'en' ? ',' : '.'
  const typed = value.replace(/[^\d.,]/g, '')
  const pesos = /^\d+$/.test(typed) ? typed.replace(/\B(?=(\d{3})+$)/g, mark) : typed
  return pesos ? `$ ${pesos}` : '$ 0'
}

for (const field of document.querySelectorAll('[data-shows]'))
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    const show = shows[field.dataset.shows ?? '']
    if (show) field.addEventListener('input', () => show(field.value))
  } else if (field instanceof HTMLFieldSetElement)
    field.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLInputElement) shows[field.dataset.shows ?? '']?.(target.value)
    })

// A colour can be picked as well as typed.
for (const field of document.querySelectorAll('[data-shows="accent"]'))
  if (field instanceof HTMLInputElement) {
    const pick = document.createElement('input')
    pick.type = 'color'
    pick.value = field.value || field.placeholder
    pick.setAttribute('aria-label', field.labels?.[0]?.textContent ?? '')
    const frame = document.createElement('span')
    frame.className = 'pick'
    field.replaceWith(frame)
    frame.append(field, pick)
    pick.addEventListener('input', () => {
      field.value = pick.value
      shows.accent?.(pick.value)
    })
    field.addEventListener('input', () => {
      if (/^#[0-9a-f]{6}$/i.test(field.value)) pick.value = field.value
    })
  }
