// The script of every page: a copy button on each code block. Without script, or where a browser does not allow
// copying, the pages lack only this button.

export const COPY_SCRIPT = `// Adds a button to every piece of code that copies it.
const SHOWN_MS = 2000
if (navigator.clipboard)
  for (const code of document.querySelectorAll('pre.code')) {
    const box = document.createElement('div')
    box.className = 'copyable'
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(code.textContent)
        button.textContent = 'Copied'
      } catch {
        button.textContent = 'Not allowed'
      }
      setTimeout(() => {
        button.textContent = 'Copy'
      }, SHOWN_MS)
    })
    code.replaceWith(box)
    box.append(code, button)
  }
`
