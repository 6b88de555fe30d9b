// Forms are sent once, whoever presses twice. What is wrong with a form is read out first.

for (const form of document.querySelectorAll('form'))
  if ('once' in form.dataset)
    form.addEventListener('submit', (event) => {
      if (form.dataset.sent) event.preventDefault()
      form.dataset.sent = 'true'
    })

/** @type {HTMLElement | null} */
const problems = document.querySelector('[data-focus]')
problems?.focus()
