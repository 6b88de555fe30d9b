// Asks the browser for a passkey, or to make one. The question comes from our server, and the answer goes back with the form.

const isAble = 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential
for (const part of document.querySelectorAll('[data-needs-passkeys]'))
  if (!isAble && part instanceof HTMLElement) {
    part.hidden = true
    const other = part.parentElement?.querySelector('input[type=radio][value=password]')
    if (other instanceof HTMLInputElement) other.checked = true
  }

/** @type {AbortController | undefined} */
let asking
/** @type {number | undefined} */
let renewal
let isPressed = false

/**
 * @param {HTMLFormElement} form
 * @param {CredentialMediationRequirement} [mediation]
 */
async function ask(form, mediation) {
  // Whoever has pressed the button is not interrupted by what the browser offers by itself.
  if (mediation && isPressed) return
  isPressed = mediation === undefined
  asking?.abort()
  clearTimeout(renewal)
  asking = new AbortController()
  const { signal } = asking
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'))
  const said = /** @type {HTMLElement} */ (form.querySelector('[role=status]'))
  const { begin = '', question: given, passkey: kind, canceled = '', known = '', failed = '' } = form.dataset
  said.textContent = ''
  button.disabled = mediation === undefined
  try {
    const fetched = async () =>
      (await fetch(begin, { method: 'POST', body: new URLSearchParams(), signal })).json()
    const question = given ? JSON.parse(given) : await fetched()
    if (question.seeOther) return location.assign(question.seeOther)
    if (question.said) {
      isPressed = false
      button.disabled = false
      said.textContent = question.said
      return
    }
    // A question lives for minutes, and this page may stand open for hours.
    if (mediation) renewal = setTimeout(() => ask(form, mediation), question.timeout * 0.8)
    const answer =
      kind === 'create'
        ? await navigator.credentials.create({
            publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(question),
            signal,
          })
        : await navigator.credentials.get({
            publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(question),
            signal,
            ...(mediation && { mediation }),
          })
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem('passkey'))
    field.value = JSON.stringify(answer)
    form.submit()
  } catch (error) {
    if (signal.aborted) return
    isPressed = false
    const { name } = /** @type {Error} */ (error)
    if (!mediation)
      said.textContent = name === 'NotAllowedError' ? canceled : name === 'InvalidStateError' ? known : failed
    button.disabled = false
  }
}

if (isAble)
  for (const form of document.querySelectorAll('form'))
    if (form.dataset.passkey) {
      form.querySelector('button')?.addEventListener('click', () => ask(form))
      if ('offered' in form.dataset)
        PublicKeyCredential.isConditionalMediationAvailable?.().then((is) =>
          is ? ask(form, 'conditional') : undefined,
        )
    }

document.querySelector('[data-print]')?.addEventListener('click', () => print())

// A page that the browser kept is asked for again: the session may be over.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
