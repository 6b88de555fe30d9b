// The only script of the payer's pages, and only an enhancement: every page works without it. It copies and shares, keeps the page
// up to date, takes the browser to the bank and back to the merchant, and stops double clicks. It is plain text for old
// browsers (no `?.`), constant, and takes every text from the page, so its hash never changes.

// A page that is shown again by "back" or by a reload does nothing by itself: see return-link.ts. A page from the
// browser's cache is outdated if it was waiting or was sent. A half-filled form is left alone.
const ARRIVAL = `
const find = (selector) => [...document.querySelectorAll(selector)]
const main = find('main')[0]
const say = (text) => { find('p.heard')[0].textContent = text }
const entry = performance.getEntriesByType('navigation')[0]
const arrived = !entry || entry.type == 'navigate'
const { version, recheck } = main.dataset
addEventListener('pageshow', (event) => {
  if (event.persisted && (version || find(':disabled')[0])) location.reload()
})
`

// The clipboard API needs https. On plain http the old command still works. Sharing has no old command, so the button
// appears only where the browser can; whoever closes its dialog has decided.
const COPY = `
find('[data-copy]').forEach((button) => {
  const label = [...button.childNodes]
  button.hidden = false
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy)
    } catch (e) {
      const area = document.createElement('textarea')
      area.value = button.dataset.copy
      main.append(area)
      area.select()
      document.execCommand('copy')
      area.remove()
      button.focus()
    }
    button.textContent = button.dataset.done
    say(button.dataset.done)
    setTimeout(() => {
      button.textContent = ''
      button.append(...label)
      say('')
    }, 2500)
  }
})
find('[data-share]').forEach((button) => {
  if (!navigator.share) return
  button.hidden = false
  button.onclick = async () => {
    try {
      const image = await (await fetch(button.dataset.share)).blob()
      const files = [new File([image], 'bre-b.png', { type: image.type })]
      const canSend = navigator.canShare && navigator.canShare({ files })
      await navigator.share(canSend ? { files } : { url: location.pathname })
    } catch (e) {}
  }
})
find('[data-print]').forEach((button) => {
  button.hidden = false
  button.onclick = () => print()
})
`

const SUBMIT = `
find('form').forEach((form) => {
  form.onsubmit = () => {
    const button = form.querySelector('button')
    if (button.disabled) return false
    button.disabled = true
    button.textContent = button.dataset.wait
    say(button.dataset.wait)
  }
})
`

// If the stream never opens (a proxy may hold it back) or breaks, the page polls instead, less and less often. When the
// payer comes back from the bank, the network is queried at once, as PSE requires. The result arrives over the stream.
const LIVE = `
let stream, timer, pause = 4000
const show = () => location.replace(location.pathname + location.search)
const rest = () => { timer = clearTimeout(timer) }
const next = () => {
  if (timer) return
  timer = setTimeout(check, pause)
  pause = Math.min(pause * 1.5, 30000)
}
const check = () => {
  rest()
  fetch(location.pathname + '/status')
    .then((answer) => answer.json())
    .then((now) => now.version == version ? 0 : show())
    .catch(() => 0)
    .then(() => stream.readyState == 1 ? 0 : next())
}
if (version) {
  next()
  stream = new EventSource(location.pathname + '/stream?version=' + version)
  stream.onopen = rest
  stream.onmessage = show
  stream.onerror = next
  document.addEventListener('visibilitychange', () => { if (!document.hidden) check() })
}
if (recheck && arrived) fetch(recheck, { method: 'POST', redirect: 'manual' })
`

// Uses only differences of the device's clock, because it may be wrong.
const COUNTDOWN = `
find('[data-left]').forEach((place) => {
  const end = Date.now() + +place.dataset.left
  const tick = () => {
    const left = Math.ceil((end - Date.now()) / 1000)
    place.hidden = left < 1 || left * 1000 > place.dataset.last
    place.querySelector('b').textContent = Math.floor(left / 60) + ':' + ('0' + left % 60).slice(-2)
    if (left > 0) setTimeout(tick, 1000)
    else setTimeout(version ? check : show, 1000)
  }
  tick()
})
find('[data-return]').forEach((box) => {
  const [text, stay] = box.children
  let left = +box.dataset.return
  if (!arrived) return
  box.hidden = false
  const ticking = setInterval(() => {
    if (document.hidden) return
    left--
    text.textContent = text.dataset.text.replace('#', left)
    if (left) return
    stay.onclick()
    location.assign(find('#back')[0].href)
  }, 1000)
  stay.onclick = () => {
    clearInterval(ticking)
    box.hidden = true
    find('#back')[0].focus()
  }
})
find('[data-forward]').forEach((link) => location.replace(link.href))
`

export const SCRIPT = [ARRIVAL, COPY, SUBMIT, LIVE, COUNTDOWN].join('').replaceAll(/^\s+/gm, '')
