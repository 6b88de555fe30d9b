// A call for the terminal, in a block that can be copied.

import { type Html, html } from '../core/html.ts'
import { icon } from './icons.ts'
import type { Setting } from './setting.ts'

export function curlBlock({ words }: Pick<Setting, 'words'>, curl: string): Html {
  return html`<div class="code-block"><button type="button" class="copy" data-copy="${curl}" hidden>${icon('copy')}<span>${words.copy}</span></button><pre class="code" tabindex="0"><code>${curl}</code></pre></div>`
}

// An id or a key, with a button that copies it. Without the script there is nothing to press.
export function copyable({ words }: Pick<Setting, 'words'>, text: string, label = words.copy): Html {
  return html`<span class="copyable"><code>${text}</code><button type="button" class="copy" data-copy="${text}" hidden title="${label}">${icon('copy')}<span class="unseen">${label}</span></button></span>`
}
