// Forms are sent once, whoever presses twice, and grave ones are asked about first. What is wrong with a form is read out first.
// Filters apply when they are chosen. Texts are copied. Parts that drop down close.

const sure = /** @type {HTMLDialogElement | null} */ (document.querySelector('#sure'))

// The form whose question is open. One listener answers for all of them, because a dialog tells of its closing later: a question
// that is asked again at once would otherwise lose its answer to the first one's closing.
/** @type {{ form: HTMLFormElement, submitter: HTMLElement | null } | undefined} */
let asked
sure?.addEventListener('close', () => {
  if (sure.returnValue !== 'yes' || !asked) return
  asked.form.dataset.sure = 'yes'
  asked.form.requestSubmit(asked.submitter)
})

document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return
  const question = form.dataset.confirm
  if (question && sure && !form.dataset.sure) {
    event.preventDefault()
    const [text, yes] = [sure.querySelector('p'), sure.querySelector('button[value=yes]')]
    if (text) text.textContent = question
    if (yes) yes.textContent = submitter?.textContent ?? ''
    sure.returnValue = ''
    asked = { form, submitter }
    sure.showModal()
    return
  }
  if (!('once' in form.dataset)) return
  if (form.dataset.sent) event.preventDefault()
  form.dataset.sent = 'true'
})

document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLSelectElement && !target.closest('.drop'))
    /** @type {HTMLFormElement | null} */ (target.closest('form[data-filters]'))?.requestSubmit()
})

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  const button = target.closest('[data-copy]')
  if (button instanceof HTMLElement) copy(button)
  for (const drop of document.querySelectorAll('.drop[open]'))
    if (!drop.contains(target)) drop.removeAttribute('open')
})

document.addEventListener('keydown', ({ key, target }) => {
  const drop = key === 'Escape' && target instanceof Element && target.closest('.drop[open]')
  if (!drop) return
  drop.removeAttribute('open')
  drop.querySelector('summary')?.focus()
})

/** @param {HTMLElement} button */
async function copy(button) {
  const { copy: text = '' } = button.dataset
  // Browsers have it only where the address is https, or this machine.
  if (navigator.clipboard) await navigator.clipboard.writeText(text)
  else {
    const area = document.createElement('textarea')
    area.value = text
    button.after(area)
    area.select()
    document.execCommand('copy')
    area.remove()
    button.focus()
  }
  button.classList.add('copied')
  setTimeout(() => button.classList.remove('copied'), 1_500)
  const told = /** @type {HTMLElement | null} */ (document.querySelector('#told'))
  if (told) told.textContent = told.dataset.copied ?? ''
}

/** @type {HTMLElement | null} */
const problems = document.querySelector('[data-focus]')
problems?.focus()
