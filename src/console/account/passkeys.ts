// The person's passkeys: made by the browser after a question of ours, renamed and removed.

import {
  beginPasskeyRegistration,
  deleteOwnPasskey,
  finishPasskeyRegistration,
  type PasskeyProblem,
  renameOwnPasskey,
} from '../../flows/team/passkeys.ts'
import type { SeeOther } from '../page.ts'
import { typedPasskey } from '../passkey-form.ts'
import { siteOfRequest } from '../request-origin.ts'
import { accessPage } from './access.ts'
import { browserText } from './browser-name.ts'
import { type AccountPage, doneAt, proveFirst, type Visitor } from './visitor.ts'

export async function askForNewPasskey(visitor: Visitor): Promise<{ json: object }> {
  const { ctx, options, request, signedIn, said } = visitor
  const site = siteOfRequest(options, request)
  if (site === undefined) return { json: { said: said.passkeys.failed } }
  const answer = await beginPasskeyRegistration(ctx, site, signedIn)
  if (!('problem' in answer)) return { json: answer }
  return { json: answer.problem === 'STEP_UP' ? proveFirst(visitor) : { said: textOf(visitor, answer) } }
}

export async function takeNewPasskey(visitor: Visitor): Promise<AccountPage | SeeOther> {
  const { ctx, options, request, signedIn, typed, said, to, base } = visitor
  const site = siteOfRequest(options, request)
  if (site === undefined) return accessPage(visitor, { passkeys: said.passkeys.failed })
  // Named by where it was made. The person may call it something else.
  const name = browserText(request.headers['user-agent'] ?? null, said.sessions)
  const answer = await finishPasskeyRegistration(ctx, site, signedIn, typedPasskey(typed), name)
  if ('problem' in answer) return accessPage(visitor, { passkeys: textOf(visitor, answer) })
  return to === base ? doneAt(visitor, 'access', 'passkey-added') : { seeOther: to }
}

function textOf({ said }: Visitor, { problem }: PasskeyProblem): string {
  const { tooMany, known, expired, failed } = said.passkeys
  return problem === 'TOO_MANY'
    ? tooMany
    : problem === 'KNOWN'
      ? known
      : problem === 'EXPIRED'
        ? expired
        : failed
}

export async function renamePasskey(visitor: Visitor): Promise<AccountPage | SeeOther> {
  const { ctx, signedIn, typed, said } = visitor
  const isDone = await renameOwnPasskey(ctx, signedIn, typed.get('id') ?? '', typed.get('name') ?? '')
  return isDone
    ? doneAt(visitor, 'access', 'passkey-renamed')
    : accessPage(visitor, { passkeys: said.passkeys.gone })
}

export async function removePasskey(visitor: Visitor): Promise<AccountPage | SeeOther> {
  const { ctx, signedIn, typed, said } = visitor
  const answer = await deleteOwnPasskey(ctx, signedIn, typed.get('id') ?? '')
  if (answer === 'deleted') return doneAt(visitor, 'access', 'passkey-removed')
  if (answer.problem === 'STEP_UP') return proveFirst(visitor)
  const { lastWayIn, gone } = said.passkeys
  return accessPage(visitor, { passkeys: answer.problem === 'LAST_WAY_IN' ? lastWayIn : gone })
}
