// What a browser sends of a passkey: the JSON of PublicKeyCredential.toJSON(), of which nothing is believed but its form.

export type Registration = { readonly clientDataJson: Buffer; readonly attestationObject: Buffer }

export type Assertion = {
  readonly credentialId: Buffer
  readonly clientDataJson: Buffer
  readonly authenticatorData: Buffer
  readonly signature: Buffer
  // Whose passkey it is, as its authenticator remembers.
  readonly userHandle: Buffer | null
}

// Far more than any authenticator sends.
const MAX_LENGTH = 16_384

export function readRegistration(json: unknown): Registration | undefined {
  const response = fieldsOf(fieldsOf(json).response)
  const clientDataJson = bytesOf(response.clientDataJSON)
  const attestationObject = bytesOf(response.attestationObject)
  return clientDataJson && attestationObject && { clientDataJson, attestationObject }
}

export function readAssertion(json: unknown): Assertion | undefined {
  const { rawId, response } = fieldsOf(json)
  const fields = fieldsOf(response)
  const credentialId = bytesOf(rawId)
  const clientDataJson = bytesOf(fields.clientDataJSON)
  const authenticatorData = bytesOf(fields.authenticatorData)
  const signature = bytesOf(fields.signature)
  if (!credentialId || !clientDataJson || !authenticatorData || !signature) return undefined
  return {
    credentialId,
    clientDataJson,
    authenticatorData,
    signature,
    userHandle: bytesOf(fields.userHandle) ?? null,
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function bytesOf(value: unknown): Buffer | undefined {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined
  return /^[A-Za-z0-9_-]+$/.test(value) ? Buffer.from(value, 'base64url') : undefined
}
