// The merchant's logo and colour, with the payment page beside them as it will be. A colour that cannot be read is told, and what
// payers see instead.

import { changeOrganizationOperation } from '../../api/organizations/operations.ts'
import { BACKGROUNDS, contrast, READABLE_CONTRAST, readableAccent } from '../../core/accent-color.ts'
import { type Html, html } from '../../core/html.ts'
import { isImage } from '../../core/image-data.ts'
import { LOGO_MAX_LENGTH, LOGO_PATTERN } from '../../core/organizations/organization.ts'
import { bodyOf, type Field } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type Change, type FormState, newForm, SHOW_CALL } from '../form-state.ts'
import { icon } from '../icons.ts'
import type { Page } from '../page.ts'
import { phonePreview } from '../phone-preview.ts'
import type { Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { settingsPage } from './frame.ts'
import { LOOK_WORDS } from './look-words.ts'
import { changesSince, seenField, seenIn } from './seen.ts'
import { SETTINGS_WORDS } from './words.ts'

const PATH = '/settings/look'
const REMOVE = '_removeLogo'
const SCHEMES = ['light', 'dark'] as const
const INLINE_IMAGE = new RegExp(LOGO_PATTERN)

function fieldsOf({ language, organization }: Visit): { logo: Field; accent: Field } {
  const words = LOOK_WORDS[language]
  return {
    logo: {
      kind: 'file',
      path: '/logoUrl',
      label: words.logo.file,
      hint: words.logo.hint,
      accept: 'image/png,image/jpeg,image/gif,image/webp,image/svg+xml',
      maxLength: LOGO_MAX_LENGTH,
      isOptional: true,
      wrong: () => words.logo.wrong,
      watched: 'logo',
    },
    accent: {
      kind: 'text',
      path: '/accentColor',
      label: words.accent.field,
      hint: words.accent.hint,
      value: organization.accentColor,
      maxLength: 7,
      placeholder: '#0b5c4a',
      isOptional: true,
      whenEmpty: 'null',
      wrong: () => words.accent.wrong,
      watched: 'accent',
    },
  }
}

// What was seen of the logo is its length and its end: the whole of it would be sent along with every form.
function logoMark(logoUrl: string | null): string | null {
  return logoUrl === null ? null : `${logoUrl.length} ${logoUrl.slice(-24)}`
}

function bodyFrom(visit: Visit, typed: URLSearchParams): Record<string, unknown> {
  const { logo, accent } = fieldsOf(visit)
  const { accentColor, logoUrl } = bodyOf([logo, accent], typed)
  const wasColour = seenIn(typed)?.accentColor
  return {
    ...(typed.has(REMOVE) ? { logoUrl: null } : logoUrl !== undefined && { logoUrl }),
    ...(accentColor !== wasColour && { accentColor }),
  }
}

// As it would be, as far as it can be shown.
function shown(visit: Visit, form: FormState): { logoUrl: string | null; accentColor: string | null } {
  const { organization } = visit
  const { logoUrl = organization.logoUrl, accentColor = organization.accentColor } = (
    form.isTyped ? bodyFrom(visit, form.typed) : {}
  ) as { logoUrl?: string | null; accentColor?: string | null }
  const isShown =
    typeof logoUrl === 'string' &&
    logoUrl.length <= LOGO_MAX_LENGTH &&
    INLINE_IMAGE.test(logoUrl) &&
    isImage(logoUrl)
  return {
    logoUrl: isShown ? logoUrl : null,
    accentColor: accentColor !== null && /^#[0-9a-f]{6}$/i.test(accentColor) ? accentColor : null,
  }
}

async function lookPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page> {
  const { language, organization } = visit
  const words = LOOK_WORDS[language]
  const { logo, accent } = fieldsOf(visit)
  const look = shown(visit, form)
  const remove: Field[] =
    organization.logoUrl === null ? [] : [{ kind: 'flag', path: REMOVE, label: words.logo.remove }]
  const seen = seenField({ accentColor: organization.accentColor, logoUrl: logoMark(organization.logoUrl) })
  const drawn = formFrame(visit, form, {
    action: PATH,
    operation: changeOrganizationOperation,
    fields: [logo, ...remove, accent, seen],
    submit: SETTINGS_WORDS[language].save,
    also: html`<button class="button" name="${SHOW_CALL}" value="preview" formnovalidate>${words.preview}</button>`,
    call: { body: { accentColor: organization.accentColor ?? '#0b5c4a' } },
  })
  const page = {
    name: organization.name,
    ...look,
    ...words.sample,
    rails: organization.rails,
  }
  const previews = SCHEMES.map(
    (scheme) =>
      html`<figure class="preview ${scheme}">${phonePreview(page, language, scheme)}<figcaption>${words.previews[scheme]}</figcaption></figure>`,
  )
  const content = html`<div class="beside two"><section class="card panel">${drawn}</section><div class="previews" data-previews>${previews}${contrastNotes(visit, look.accentColor)}</div></div>`
  const { name, text } = SETTINGS_WORDS[language].parts.look
  return settingsPage(visit, { part: 'look', title: name, lead: text, content, isWide: true })
}

function contrastNotes({ language }: Visit, accentColor: string | null): Html | false {
  if (accentColor === null) return false
  const words = LOOK_WORDS[language].contrast
  const notes = SCHEMES.map((scheme) => {
    const used = readableAccent(accentColor, scheme) as string
    const { card, page } = BACKGROUNDS[scheme]
    const ratio = Math.min(contrast(accentColor, card), contrast(accentColor, page))
    const text = ratio.toFixed(1).replace('.', language === 'es' ? ',' : '.')
    const isGood = ratio >= READABLE_CONTRAST
    return html`<li class="note-line ${isGood ? 'is-good' : 'is-wait'}">${icon(isGood ? 'check' : 'warning')}<span><b>${words.on(words.schemes[scheme])}</b><br>${isGood ? words.asIs(text) : words.moved(text, used)}</span></li>`
  })
  return html`<ul class="stack contrast" aria-label="${words.title}">${notes}</ul>`
}

export const lookRoutes: readonly Route[] = [
  { method: 'GET', path: PATH, scope: 'organization:read', show: (visit) => lookPage(visit) },
  {
    method: 'POST',
    path: PATH,
    operation: changeOrganizationOperation,
    takesFiles: true,
    call: (visit, typed) => ({ body: bodyFrom(visit, typed) }),
    done: () => PATH,
    again: lookPage,
    changedMeanwhile: async (visit, typed): Promise<Change[]> => {
      const { organization, language } = visit
      const { logo, accent } = fieldsOf(visit)
      const now = { accentColor: organization.accentColor, logoUrl: logoMark(organization.logoUrl) }
      const none = SETTINGS_WORDS[language].nothing
      return changesSince(typed, now, [logo, accent], (name, value) =>
        value === null ? none : name === 'logoUrl' ? LOOK_WORDS[language].logo.title : String(value),
      )
    },
  },
]
