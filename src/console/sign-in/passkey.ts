// Signing in by passkey. The script asks for a question and sends the browser's answer as a form.

import { beginPasskeySignIn, finishPasskeySignIn } from '../../flows/team/passkeys.ts'
import type { SeeOther } from '../page.ts'
import { typedPasskey } from '../passkey-form.ts'
import { originOf, siteOfRequest } from '../request-origin.ts'
import type { Guest, GuestPage, Json } from './guest.ts'
import { letIn, refusedPage } from './let-in.ts'
import { signInPage } from './password.ts'

export async function askForPasskey({ options, request, ctx, said }: Guest): Promise<Json> {
  const site = siteOfRequest(options, request)
  return { json: site === undefined ? { said: said.passkey.failed } : await beginPasskeySignIn(ctx, site) }
}

export async function takePasskey(guest: Guest): Promise<GuestPage | SeeOther> {
  const { options, request, ctx, typed, said } = guest
  const site = siteOfRequest(options, request)
  const answer =
    site === undefined
      ? ({ problem: 'WRONG' } as const)
      : await finishPasskeySignIn(ctx, site, typedPasskey(typed), originOf(options, request))
  return 'problem' in answer
    ? refusedPage(guest, answer, said.problems.passkey, (problem) => signInPage(guest, problem))
    : letIn(guest, answer)
}
