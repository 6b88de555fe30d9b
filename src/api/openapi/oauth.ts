// The token endpoint and the public keys, described by hand because they follow other standards than our operations.

import { TOKEN_REQUEST_MAX } from '../organizations/oauth.ts'
import { refusalResponses } from './refusals.ts'

export function tokenPaths(publicUrl: string): Record<string, unknown> {
  const example = { grant_type: 'client_credentials', client_id: 'rc_stg_…', client_secret: 'rs_stg_…' }
  const request = {
    type: 'object',
    required: ['grant_type'],
    properties: {
      grant_type: { type: 'string', const: 'client_credentials' },
      client_id: {
        type: 'string',
        maxLength: TOKEN_REQUEST_MAX.clientId,
        description: 'Unless sent by HTTP Basic.',
      },
      client_secret: {
        type: 'string',
        maxLength: TOKEN_REQUEST_MAX.clientSecret,
        description: 'Unless sent by HTTP Basic.',
      },
      scope: {
        type: 'string',
        maxLength: TOKEN_REQUEST_MAX.scope,
        description: 'Scopes separated by spaces, to ask for fewer than the client has.',
      },
    },
  }
  return {
    '/oauth/token': {
      post: {
        operationId: 'createAccessToken',
        tags: ['Authentication'],
        summary: 'Get an access token',
        description:
          'OAuth 2.0 client credentials (RFC 6749 §4.4). Errors also carry `error` and `error_description`.',
        security: [],
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': { schema: request, example },
            'application/json': { schema: request, example },
          },
        },
        responses: {
          200: {
            description: 'An access token, valid for an hour.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['access_token', 'token_type', 'expires_in'],
                  properties: {
                    access_token: { type: 'string' },
                    token_type: { type: 'string', const: 'Bearer' },
                    expires_in: { type: 'integer' },
                    scope: { type: 'string' },
                  },
                },
                example: { access_token: 'eyJhbGciOiJFZERTQSJ9…', token_type: 'Bearer', expires_in: 3600 },
              },
            },
          },
          ...refusalResponses(
            [
              'INVALID_INPUT',
              'INVALID_JSON',
              'UNAUTHORIZED',
              'ADDRESS_NOT_ALLOWED',
              'BODY_TOO_LARGE',
              'UNSUPPORTED_MEDIA_TYPE',
              'STORE_UNAVAILABLE',
              'INTERNAL_ERROR',
            ],
            publicUrl,
          ),
        },
      },
    },
    '/.well-known/jwks.json': {
      get: {
        operationId: 'getPublicKeys',
        tags: ['Authentication'],
        summary: 'Get the public keys of access tokens',
        description: 'A JSON Web Key Set (RFC 7517).',
        security: [],
        responses: {
          200: {
            description: 'The keys.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['keys'],
                  properties: { keys: { type: 'array', items: { type: 'object' } } },
                },
                example: {
                  keys: [{ kty: 'OKP', crv: 'Ed25519', x: '…', kid: '…', alg: 'EdDSA', use: 'sig' }],
                },
              },
            },
          },
          ...refusalResponses(['INTERNAL_ERROR'], publicUrl),
        },
      },
    },
    '/.well-known/receipt-keys.json': {
      get: {
        operationId: 'getReceiptKeys',
        tags: ['Authentication'],
        summary: 'Get the public keys of receipts',
        description:
          'A JSON Web Key Set (RFC 7517) of every key that has ever signed a receipt or evidence. One that was retired has ' +
          '`retiredAt`, and counts only for payments from before.',
        security: [],
        responses: {
          200: {
            description: 'The keys.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['keys'],
                  properties: {
                    keys: {
                      type: 'array',
                      items: {
                        type: 'object',
                        required: ['kty', 'crv', 'x', 'kid', 'alg', 'use', 'retiredAt'],
                        properties: {
                          ...Object.fromEntries(
                            ['kty', 'crv', 'x', 'kid', 'alg', 'use'].map((name) => [
                              name,
                              { type: 'string' },
                            ]),
                          ),
                          retiredAt: { type: ['string', 'null'], format: 'date-time' },
                        },
                      },
                    },
                  },
                },
                example: {
                  keys: [
                    {
                      kty: 'OKP',
                      crv: 'Ed25519',
                      x: '…',
                      kid: '…',
                      alg: 'EdDSA',
                      use: 'sig',
                      retiredAt: '2026-11-15T13:00:00.000Z',
                    },
                  ],
                },
              },
            },
          },
          ...refusalResponses(['INTERNAL_ERROR'], publicUrl),
        },
      },
    },
  }
}
