// The script of every page: a copy button on each code block. Without script, or where a browser does not allow
// copying, the pages lack only this button.

export const COPY_SCRIPT = `// Adds a button to every piece of code that copies it.
const SHOWN_MS = 2000
const WORDS = {
  en: { copy: 'Copy', copied: 'Copied', refused: 'Not allowed' },
  es: { copy: 'Copiar', copied: 'Copiado', refused: 'No permitido' },
}
if (navigator.clipboard)
  for (const code of document.querySelectorAll('pre.code')) {
    const words = WORDS[code.closest('[lang]').lang] ?? WORDS.en
    const box = document.createElement('div')
    box.className = 'copyable'
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = words.copy
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(code.textContent)
        button.textContent = words.copied
      } catch {
        button.textContent = words.refused
      }
      setTimeout(() => {
        button.textContent = words.copy
      }, SHOWN_MS)
    })
    code.replaceWith(box)
    box.append(code, button)
  }
`
