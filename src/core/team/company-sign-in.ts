// Signing in by a company's own accounts (OpenID Connect): what we need from it. Who somebody is there never changes; their e-mail
// address may, and counts only where the company has verified it.

import { MINUTE_MS } from '../instant.ts'

export type CompanyIdentity = {
  readonly issuer: string
  readonly subject: string
  // Null: none, or none that is verified.
  readonly verifiedEmail: string | null
}

// What is remembered of a sign-in while the browser is there.
export type CompanyQuestion = {
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

// refused: the answer is not one to our question. unavailable: it cannot be asked at the moment.
export type CompanySignIn = {
  // The address to send the browser to.
  readonly begin: (question: CompanyQuestion) => Promise<{ readonly url: string } | 'unavailable'>
  // `parameters` are what the browser came back with.
  readonly finish: (
    question: CompanyQuestion,
    parameters: URLSearchParams,
  ) => Promise<CompanyIdentity | 'refused' | 'unavailable'>
}

export const COMPANY_SIGN_IN_MS = 10 * MINUTE_MS
// Beside our pages, as it is entered at the company.
export const COMPANY_RETURN_PATH = '/sign-in/company'
