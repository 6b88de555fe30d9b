// Error pages: an unknown address, a form that we cannot read, a failure of the service, too many requests at once.

import { html } from '../../core/html.ts'
import type { Page } from './layout.ts'
import { address, type PageSetting } from './page-context.ts'

export function notFoundPage({ words }: PageSetting): Page {
  const { notFound, notFoundText } = words.problem
  return { title: notFound, content: html`<h1>${notFound}</h1><p>${notFoundText}</p>` }
}

export function unreadablePage(setting: PageSetting): Page {
  const { unreadable, unreadableText } = setting.words.problem
  return {
    title: unreadable,
    content: html`<h1>${unreadable}</h1><p>${unreadableText}</p>${openAgain(setting)}`,
  }
}

export function brokenPage(setting: PageSetting): Page {
  const { broken, brokenText } = setting.words.problem
  return { title: broken, content: html`<h1>${broken}</h1><p>${brokenText}</p>${openAgain(setting)}` }
}

export function tooFastPage(setting: PageSetting): Page {
  const { tooFast, tooFastText } = setting.words.problem
  return { title: tooFast, content: html`<h1>${tooFast}</h1><p>${tooFastText}</p>${openAgain(setting)}` }
}

const openAgain = (setting: PageSetting) =>
  html`<p><a class="button" href="${address(setting)}">${setting.words.problem.reload}</a></p>`
