// Every constant of a schedule against what the documentation promises. The numbers are read out of the pages, so neither can
// change without the other. A constant that is in neither table fails the test.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { dueAfterDay, lateDays } from '../../src/core/ledger/reconciliation.ts'
import { newOrganization } from '../../src/core/organizations/organization.ts'
import { newPayin } from '../../src/core/payins/payin.ts'
import {
  askWhetherReadyAt,
  firstQueryAt,
  isPastGracePeriod,
  nextQueryAt,
} from '../../src/core/payins/schedule.ts'
import { newPaymentLink } from '../../src/core/payment-links/payment-link.ts'
import { newPayout } from '../../src/core/payouts/payout.ts'
import { deferForKey } from '../../src/core/payouts/settle.ts'
import { afterAttempt, RETRY_AFTER_MS } from '../../src/core/webhooks/delivery.ts'
import {
  ID_HEADER,
  SIGNATURE_HEADER,
  signNotice,
  TIMESTAMP_HEADER,
  verifyNotice,
} from '../../src/rails/signature.ts'
import { CUSTOMER } from '../world.ts'
import { durationMs, saidIn, scheduleConstants } from './constants.ts'

const CONSTANTS = scheduleConstants()

type Said = readonly [page: string, pattern: RegExp]
// What the pages say, and the constant in the same form.
type Row = { says: readonly Said[]; as?: (said: string[]) => unknown }

const inMs = ([said = '']: string[]): number => durationMs(said)
const inSeconds = (said: string[]): number => inMs(said) / 1_000
const inDays = (said: string[]): number => inMs(said) / 86_400_000
const asNumber = ([said = '']: string[]): number => durationMs(said)

const RETRIES = /retried after (5 s, .*? and 24 h)/
const waits = ([said = '']: string[]): number[] => said.split(/, | and /).map(durationMs)

const TEAM = 'docs/guides/en/team.md'

const DOCUMENTED: Readonly<Record<string, Row>> = {
  'store/patient-locks.ts STOPPING_WAIT_MS': {
    says: [['docs/guides/en/operating.md', /is asked for during (\d+) ms at most/]],
    as: Number,
  },
  'store/patient-locks.ts PATIENCE_MS': {
    says: [['docs/guides/en/operating.md', /After (two minutes) it gives up/]],
  },
  'core/webhooks/delivery.ts RETRY_AFTER_MS': {
    says: [
      ['docs/webhooks.md', RETRIES],
      ['docs/guides/en/webhooks.md', RETRIES],
    ],
    as: waits,
  },
  'core/webhooks/delivery.ts JITTER': {
    says: [
      ['docs/webhooks.md', /and 24 h \(± (\d+) %\)/],
      ['docs/guides/en/webhooks.md', /and 24 h, each ± (\d+) %/],
    ],
    as: ([percent]) => Number(percent) / 100,
  },
  'core/webhooks/delivery.ts DISABLE_AFTER_MS': {
    says: [
      ['docs/webhooks.md', /so do (\w+ days) of nothing but failures/],
      ['docs/guides/en/webhooks.md', /at once, and so do (\w+ days) of nothing but failures/],
    ],
  },
  'core/receipts/mail.ts MAIL_RETRY_AFTER_MS': {
    says: [['docs/guides/en/receipts.md', /tried again after (1 min, .*? and 12 h)/]],
    as: waits,
  },
  'core/ledger/alarm-telling.ts ALARM_STORM_WITHIN_MS': {
    says: [['docs/guides/en/operating.md', /alarms that were raised within (one hour) are open/]],
  },
  'core/ledger/alarm-telling.ts ALARM_DIGEST_AFTER_MS': {
    says: [['docs/guides/en/operating.md', /new wait for each other for (\w+ minutes)/]],
  },
  'core/ledger/alarm-telling.ts ALARM_MAIL_WITHIN_MS': {
    says: [['docs/guides/en/operating.md', /What has waited for (\w+ days) is told to nobody/]],
  },
  'core/organizations/signing-key.ts PUBLISHED_AHEAD_MS': {
    says: [['docs/guides/en/security.md', /at once and signs (\w+ minutes) later/]],
  },
  'core/webhooks/send-rate.ts AHEAD_MS': {
    says: [['docs/guides/en/webhooks.md', /up to (half a second)'s worth may come at once/]],
    as: ([said]) => (said === 'half a second' ? 500 : Number.NaN),
  },
  'flows/webhooks/prove-ownership.ts CHALLENGE_PAUSE_MS': {
    says: [['docs/guides/en/webhooks.md', /can verify one endpoint every (\w+ seconds)/]],
  },
  'flows/webhooks/rotate-secret.ts OVERLAP_MS': {
    says: [
      ['docs/webhooks.md', /for (24 hours) both sign/],
      ['docs/guides/en/webhooks.md', /For (24 hours) every request carries two signatures/],
    ],
  },
  'flows/connections/write.ts OVERLAP_MS': {
    says: [['openapi.json', /For (24 hours) the ones before them still check/]],
  },
  'core/payins/schedule.ts QUERY_AFTER_MS': {
    says: [['docs/guides/en/sandbox.md', /asked after (\d+ seconds) on Bre-B, after (\d+ minutes) on PSE/]],
    // The pages speak of the first query only.
    as: ([breb = '', pse = '']) => ({
      BRE_B: { first: durationMs(breb), then: 2 * 60_000 },
      PSE: { first: durationMs(pse), then: 12 * 60_000 },
    }),
  },
  'core/payouts/schedule.ts QUERY_AFTER_MS': {
    says: [['docs/guides/en/sandbox.md', /and after (\d+ seconds) about a payout/]],
  },
  'core/payouts/settle.ts KEY_UNRESOLVED_MS': {
    says: [['docs/guides/en/sandbox.md', /and after (\d+ minutes) it is `DECLINED`/]],
  },
  'core/organizations/organization.ts PAYIN_EXPIRY_MINUTES': {
    says: [
      ['docs/guides/en/breb.md', /nobody paid within (\d+ minutes)/],
      ['docs/guides/en/pse.md', /waits (\d+ minutes) for its customer/],
      ['docs/guides/en/sandbox.md', /payins expire after (\d+ minutes)/],
    ],
    as: (said) => ({ minimum: 5, default: inMs(said) / 60_000, maximum: 24 * 60 }),
  },
  'core/payment-links/payment-link.ts LINK_LIFETIME_MS': {
    says: [['docs/guides/en/sandbox.md', /links after (an hour)/]],
  },
  'core/payment-pages/payment-page.ts IDLE_LINK_MS': {
    says: [['docs/payment-pages.md', /nor has begun to in the last (ten minutes)/]],
  },
  'flows/payouts/create.ts LOOKUP_VALIDITY_MS': {
    says: [['docs/guides/en/payouts.md', /did not look up in the last (\d+ minutes)/]],
  },
  'flows/directory/look-up-key.ts LOOKUP_BUDGET': {
    says: [['docs/guides/en/payouts.md', /It holds ([\d,]+) and refills at (\w+) a second/]],
    as: ([capacity = '', perSecond = '']) => ({
      capacity: durationMs(capacity),
      perSecond: durationMs(perSecond),
    }),
  },
  'flows/directory/look-up-key.ts COST': {
    says: [['docs/guides/en/payouts.md', /A hit costs (\d+) and a miss (\d+);/]],
    as: ([hit, miss]) => ({ hit: Number(hit), miss: Number(miss) }),
  },
  'flows/directory/look-up-key.ts REWARD': {
    says: [['docs/guides/en/payouts.md', /that you looked up gives (\d+) back/]],
    as: asNumber,
  },
  'core/staging-clock.ts MAX_CLOCK_OFFSET_MS': {
    says: [['docs/guides/en/sandbox.md', /up to (366) days at a time and (ten) years in total/]],
    as: ([days, years]) => (years === 'ten' ? 10 * Number(days) * 86_400_000 : Number.NaN),
  },
  'store/idempotency.ts RECORD_LIFE_MS': {
    says: [['openapi.json', /the same key and body again within (30 days)/]],
  },
  'core/backoff.ts PATIENT_BACKOFF_MS': {
    says: [['docs/guides/en/operating.md', /the pauses grow from (a second) to (a day)/]],
    // The page speaks of the first and the last.
    as: ([first = '', last = '']) => [
      durationMs(first),
      ...[2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000, 21_600_000],
      durationMs(last),
    ],
  },
  'core/backups/held-back.ts WORKERS_START_WITHIN_MS': {
    says: [['docs/guides/en/operating.md', /within the (six) hours that are left/]],
    as: ([hours]) => (hours === 'six' ? 6 * 3_600_000 : Number.NaN),
  },
  'core/payins/schedule.ts UNRESOLVED_AFTER_MS': {
    says: [['docs/guides/en/operating.md', /a network has not said for (a day) what became of a payment/]],
  },
  'flows/refunds/advance.ts UNRESOLVED_AFTER_MS': {
    says: [
      [
        'docs/guides/en/operating.md',
        /`refund-unresolved` \| a network has not said for (a day) what became/,
      ],
    ],
  },
  'core/refunds/deadline.ts REVERSAL_BUSINESS_DAYS': {
    says: [['docs/guides/en/giving-money-back.md', /`REVERSAL`: (\d+) business days/]],
    as: asNumber,
  },
  'core/refunds/deadline.ts WITHDRAWAL_DAYS': {
    says: [['docs/guides/en/giving-money-back.md', /`WITHDRAWAL`: (\d+) calendar days/]],
    as: asNumber,
  },
  'core/refunds/refund.ts CLAIM_LIFE_MS': {
    says: [['docs/guides/en/giving-money-back.md', /A page to claim on is open for (\d+ days)/]],
  },
  'core/refunds/refund.ts MAX_CLAIM_ATTEMPTS': {
    says: [['docs/guides/en/giving-money-back.md', /open for \d+ days and takes (\w+) tries/]],
    as: asNumber,
  },
  'core/approvals/approval.ts APPROVAL_LIFETIME_MS': {
    says: [
      ['docs/guides/en/approvals.md', /nobody decides for (\w+ days)/],
      ['docs/errors.md', /Nobody decided within (\w+ days)/],
    ],
  },
  'flows/payout-batches/create.ts SAME_FILE_MS': {
    says: [['docs/guides/en/paying-many.md', /The same file within (\d+ days) is refused/]],
  },
  'core/ledger/suspense-candidate.ts NEAR_MS': {
    says: [['docs/guides/en/reconciliation.md', /or it was created within (the hour)/]],
    as: ([said]) => (said === 'the hour' ? 3_600_000 : Number.NaN),
  },
  'core/ledger/reconciliation.ts CLOSING_MS': {
    says: [['docs/guides/en/reconciliation.md', /(Half an hour) after it ends, a worker fetches/]],
    as: ([said]) => (said === 'Half an hour' ? 30 * 60_000 : Number.NaN),
  },
  'core/ledger/reconciliation.ts MIDNIGHT_MARGIN_MS': {
    says: [['docs/guides/en/reconciliation.md', /booked in the last (\w+ minutes) of a day/]],
  },
  'core/ledger/reconciliation.ts FIRST_RETRY_MS': {
    says: [['docs/guides/en/reconciliation.md', /it is asked again after (\w+ minutes), ten, twenty/]],
  },
  'core/ledger/reconciliation.ts LAST_RETRY_MS': {
    says: [['docs/guides/en/reconciliation.md', /and so on, at most every (\d+) hours/]],
    as: ([said]) => Number(said) * 3_600_000,
  },
  'core/ledger/reconciliation.ts RECHECK_AFTER_MS': {
    says: [['docs/guides/en/reconciliation.md', /compared once more (\w+ days) after it closed/]],
  },
  'core/ledger/reconciliation.ts LATE_AFTER_MS': {
    says: [
      ['docs/guides/en/reconciliation.md', /that is not compared (a day) after it was due/],
      ['docs/guides/en/operating.md', /is not compared (a day) after it should have been/],
    ],
  },
  'core/payouts/schedule.ts UNRESOLVED_AFTER_MS': {
    says: [['docs/guides/en/operating.md', /a network has not said for (a day) what became of a payment/]],
  },
  'core/retention.ts RETENTION_DAYS': {
    says: [
      [
        'docs/guides/en/operating.md',
        /\| (\d+) \| `EVENT_.* \| (\d+) \| `EXCHANGE_.* \| (\d+) \| `NOTICE_.* \| (\d+) \| `ALARM_.* \| (\d+) \| `REQUEST_/,
      ],
    ],
    as: ([events, exchanges, notices, alarms, requests]) => ({
      events: Number(events),
      exchanges: Number(exchanges),
      notices: Number(notices),
      alarms: Number(alarms),
      requests: Number(requests),
    }),
  },
  'core/retention.ts KEY_LOOKUP_DAYS': {
    says: [['docs/guides/en/operating.md', /\| `key_lookups` \| (\d+) \|/]],
    as: asNumber,
  },
  'core/retention.ts PAYOUT_USAGE_DAYS': {
    says: [['docs/guides/en/operating.md', /\| `payout_usage` \| (\d+) \|/]],
    as: asNumber,
  },
  'core/retention.ts REDELIVERY_DAYS': {
    says: [
      ['docs/guides/en/operating.md', /\| `redeliveries` \| (\d+) \|/],
      ['db/schema.sql', /whoever listens to the stream; kept for (a) day/],
    ],
    as: asNumber,
  },
  'core/retention.ts STATEMENT_LINE_DAYS': {
    says: [
      ['docs/guides/en/operating.md', /`bookings_of_other_days` \| (\d+) \|/],
      ['docs/guides/en/reconciliation.md', /Lines are kept for (100) days/],
    ],
    as: asNumber,
  },
  'store/ledger/other-days.ts NEIGHBOR_DAYS': {
    says: [['docs/guides/en/reconciliation.md', /looks for lines in the (31 days) before and after/]],
    as: inDays,
  },
  'core/retention.ts SESSION_DAYS': {
    says: [
      ['docs/guides/en/operating.md', /\| `sessions`, `invitations` \| (\d+) \|/],
      [TEAM, /Sessions and invitations leave (30) days after/],
    ],
    as: asNumber,
  },
  'core/retention.ts INVITATION_DAYS': {
    says: [['docs/guides/en/operating.md', /\| `sessions`, `invitations` \| (\d+) \|/]],
    as: asNumber,
  },
  'core/retention.ts SIGN_IN_DAYS': {
    says: [
      ['docs/guides/en/operating.md', /\| `sign_in_tokens`, `sign_in_failures` \| (\d+) \|/],
      [TEAM, /counted failures after (a) day/],
    ],
    as: asNumber,
  },
  'core/team/invitation.ts INVITATION_LIFETIME_MS': {
    says: [
      [TEAM, /a link that works once, for (72 hours)/],
      ['openapi.json', /it works once, for (72 hours)/],
      ['SECURITY.md', /invitations \((72 hours)\)/],
    ],
  },
  'core/team/lock.ts LOCK_WINDOW_MS': { says: [[TEAM, /10 failures within (15 minutes)/]] },
  'core/team/lock.ts LOCK_MS': { says: [[TEAM, /an account is locked for (15 minutes)/]] },
  'core/team/passkey.ts CHALLENGE_LIFETIME_MS': {
    says: [
      [TEAM, /each question is answered once, within (five minutes)/],
      ['SECURITY.md', /a challenge is answered once, within (five minutes)/],
    ],
  },
  'core/team/sign-in.ts SECOND_STEP_MS': { says: [[TEAM, /The code must follow within (ten minutes)/]] },
  'core/team/sign-in.ts SIGN_IN_LINK_MS': { says: [[TEAM, /a link that works once, within (an hour)/]] },
  'core/team/sign-in.ts DEMO_LINK_MS': { says: [[TEAM, /signs in as them, once, within (24 hours)/]] },
  'core/team/user.ts SESSION_IDLE_MS': {
    says: [
      [TEAM, /A session ends (12 hours) after its last use/],
      ['openapi.json', /A session ends (12 hours) after its last use/],
      ['SECURITY.md', /(12 hours) idle and seven days at most/],
    ],
  },
  'core/team/user.ts SESSION_LIFETIME_MS': {
    says: [
      [TEAM, /and (seven days) after it began/],
      ['openapi.json', /and after (seven days) at the latest/],
    ],
  },
  'core/team/user.ts STEP_UP_MS': { says: [[TEAM, /must not be older than (five minutes)/]] },
  'rails/signature.ts TOLERANCE_SECONDS': {
    says: [
      ['docs/rails.md', /more than (\w+ minutes) old or ahead/],
      ['docs/guides/en/security.md', /signed, at most (\w+ minutes) old/],
    ],
    as: inSeconds,
  },
  'api/http/server.ts KEEP_ALIVE_MS': {
    says: [['docs/guides/en/production.md', /close idle connections to us before (72 seconds)/]],
  },
  'api/http/metrics.ts CACHE_MS': {
    says: [['docs/guides/en/operating.md', /at most every (\w+ seconds)/]],
  },
  'api/events/stream.ts STREAM_TIMES': {
    says: [['openapi.json', /A comment comes every (\d+ seconds)/]],
    as: (said) => ({ heartbeatMs: inMs(said), stallMs: 10_000, recheckMs: 200 }),
  },
  'api/connections/sandbox.ts MAX_ADVANCE_SECONDS': {
    says: [['docs/guides/en/sandbox.md', /up to (366 days) at a time/]],
    as: inSeconds,
  },
}

// No page speaks of these. They are written here so that nobody changes one by chance.
const UNSAID: Readonly<Record<string, unknown>> = {
  'api/events/log-positions.ts POLL_INTERVAL_MS': 250,
  'api/events/stream-route.ts RETRY_SECONDS': 30,
  'api/events/stream.ts CLIENT_RETRY_MS': 1_000,
  'api/events/stream.ts STORE_RETRY_MS': 500,
  'api/events/stream.ts CLOSE_TIMEOUT_MS': 1_000,
  'api/http/signing-keys.ts RELOAD_INTERVAL_MS': 1_000,
  'core/organizations/signing-key.ts ACCESS_TOKEN_MS': 3_600_000,
  'core/organizations/signing-key.ts GRACE_MS': 5 * 60_000,
  'api/http/credential-cache.ts RENEW_AFTER_MS': 400,
  'api/http/credential-cache.ts USE_UNTIL_MS': 800,
  'api/http/metrics.ts LATENCY_SECONDS': [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  'api/http/health-server.ts REQUEST_TIMEOUT_MS': 5_000,
  'api/http/idempotency.ts FINISHED_AFTER_MS': 30_000,
  'api/http/server.ts TIMEOUTS': { headersMs: 10_000, requestMs: 15_000 },
  'api/http/server.ts STORE_RETRY_SECONDS': 2,
  'checkout/action-limit.ts MINUTE_SECONDS': 60,
  'checkout/page-watch.ts LOOK_EVERY_MS': 500,
  'checkout/routes.ts NOT_FOUND_MS': 60,
  'checkout/routes.ts RETRY_AFTER_SECONDS': 5,
  'checkout/state.ts FRESH_MS': 600_000,
  'checkout/stream.ts HEARTBEAT_MS': 20_000,
  'checkout/stream.ts MAX_LIFETIME_MS': 600_000,
  'checkout/stream.ts RECONNECT_MS': 3_000,
  'console/live/live.ts MARGIN_MS': 1_000,
  'console/live/live.ts REMEMBERED_MS': 60_000,
  'console/live/live.ts TIMES': { soonMs: 40, lookEveryMs: 400, againMs: 800, sweepMs: 10_000 },
  'console/live/routes.ts HEARTBEAT_MS': 20_000,
  'console/live/routes.ts MAX_LIFETIME_MS': 600_000,
  'console/live/routes.ts RETRY_AFTER_SECONDS': 30,
  'console/live/turns.ts FIRST_GUESS_MS': 5,
  'console/live/turns.ts TICK_MS': 50,
  'connected-rails.ts CHECK_EVERY_MS': 1_000,
  'connected-rails.ts CLOSE_AFTER_MS': 600_000,
  'api/credentials/examples.ts NO_LIMITS': {
    maxPerSecond: null,
    allowedAddresses: null,
    payoutsPerDay: null,
    payoutSumPerDayInCents: null,
  },
  'api/credentials/examples.ts TIMES': {
    createdAt: '2025-11-07T13:00:00.000Z',
    revokedAt: null,
    lastUsedAt: '2025-11-07T15:20:00.000Z',
  },
  'api/credentials/schema.ts EXPIRY_DAYS': { minimum: 1, maximum: 3_650 },
  'flows/credentials/roll.ts OVERLAP_HOURS': { minimum: 0, default: 24, maximum: 720 },
  'api/export/send-file.ts EXPORT_TIME_LIMITS': { idleMs: 60_000, totalMs: 1_800_000 },
  'api/export/send-file.ts FILE_RETRY_AFTER_SECONDS': 10,
  'api/export/xlsx.ts EPOCH_DAYS': 25_569,
  'api/ledger/operations.ts PATIENT_MS': 20_000,
  'api/ledger/reports.ts DEFAULT_REPORTED_DAYS': 31,
  'api/ledger/reports.ts MAX_REPORTED_DAYS': 92,
  'core/ledger/daily-close.ts CLOSES_AFTER_MS': 600_000,
  'core/ledger/daily-close.ts WRITES_END_WITHIN_MS': 60_000,
  'flows/ledger/close-days.ts LEASE_MS': 600_000,
  'flows/ledger/close-days.ts PATIENT_MS': 60_000,
  'flows/ledger/read-days.ts PATIENT_MS': 20_000,
  'workers/daily-closes.ts MAX_REST_MS': 2_000,
  'workers/daily-closes.ts MINIMUM_REST_MS': 15_000,
  'workers/daily-closes.ts REST_MS': 5_000,
  'console/home/figures.ts LEAST_LIFE_MS': 300,
  'console/home/figures.ts MOST_LIFE_MS': 15_000,
  'console/home/figures.ts PAST_LIFE_MS': 60_000,
  'console/objects/shown-person.ts SHOWN_MS': 300_000,
  'console/phone-preview.ts PREVIEW_LIMITS': { name: 22, about: 30, amount: 15 },
  'console/routes.ts RETRY_AFTER_SECONDS': 5,
  'console/routes.ts YEAR_SECONDS': 31_536_000,
  'console/webhooks/portal-routes.ts RETRY_AFTER_SECONDS': 5,
  'console/sign-in/let-in.ts BUSY_SECONDS': 5,
  'api/audit/refused-acts.ts BUDGET': { perSecond: 1, burst: 120 },
  'api/audit/request-log.ts FLUSH_EVERY_MS': 1_000,
  'api/audit/request-log.ts MADE_WITHIN_MS': 60_000,
  'flows/team/failed-sign-ins.ts BUDGET': { perSecond: 1 / 300, burst: 20 },
  'flows/work-signals.ts SIGNAL_EVERY_MS': 20,
  'context.ts CLOCK_POLL_MS': 200,
  'core/backoff.ts BACKOFF_MS': [1_000, 2_000, 5_000, 10_000, 30_000, 60_000],
  'core/bogota-day.ts BOGOTA_OFFSET_MS': 18_000_000,
  'core/ids.ts MAX_CLOCK_STEP_BACK_MS': 1_000,
  'core/organizations/abuse.ts TOLD_AGAIN_AFTER_SECONDS': 600,
  'core/payins/schedule.ts GRACE_AFTER_EXPIRY_MS': 3_600_000,
  'core/payins/schedule.ts READY_AFTER_MS': 500,
  'core/webhooks/delivery.ts BREAKER_FAILURES': 5,
  'core/webhooks/delivery.ts BREAKER_REST_MS': 5_000,
  'flows/connections/apply-notice.ts WAIT_FOR_SUBJECT_MS': 3_600_000,
  'flows/connections/apply-notice.ts FAILING_AFTER_MS': 3_600_000,
  'flows/connections/apply-notice.ts RETRY_AFTER_MS': 1_000,
  'flows/connections/apply-notice.ts MAX_RETRY_AFTER_MS': 3_600_000,
  'flows/ledger/leave-one-place.ts WATCH_AFTER_DECISION_MS': 604_800_000,
  'flows/ledger/suspend-unknown-payment.ts LOOK_AGAIN_AFTER_MS': 60_000,
  'flows/connections/kept-answers.ts ASK_AGAIN_AFTER_MS': 3_000,
  'flows/connections/kept-answers.ts PATIENCE_MS': 2_000,
  'flows/connections/pse-offer.ts BANKS_LAST_MS': 3_600_000,
  'flows/connections/pse-offer.ts TERMS_LAST_MS': 300_000,
  'flows/connections/receive-hint.ts LOOK_AGAIN_AFTER_MS': 500,
  'flows/connections/simulate.ts ASK_AGAIN_AFTER_MS': 50,
  'flows/connections/simulate.ts HAND_OVER_WITHIN_MS': 5_000,
  'flows/directory/look-up-key.ts RETRY_AFTER_SECONDS': 5,
  'flows/connections/reconcile-connection.ts LEASE_MS': 3_600_000,
  'flows/connections/reconcile-connection.ts MIDNIGHT_MARGIN_MS': 3_600_000,
  'flows/ledger/reconcile.ts PAGE_LEASE_MS': 180_000,
  'flows/ledger/reconcile.ts COMPARISON_LEASE_MS': 900_000,
  'flows/payins/create.ts LOOK_AGAIN_AFTER_MS': 50,
  'flows/payment-links/expire.ts OPEN_ATTEMPT_POLL_MS': 1_000,
  'flows/payment-links/expire.ts MAX_TRIES': 20,
  'flows/payment-links/expire.ts PAUSE_MS': 20,
  'flows/payment-route.ts MAX_TRIES': 5,
  'flows/payouts/dispatch.ts LEASE_MS': 60_000,
  'console/payout-batches/page.ts FRESH_IN_MS': 1_500,
  'core/payout-batches/batch.ts MIN_PAUSE_MS': 500,
  'core/payout-batches/batch.ts MAX_PAUSE_MS': 60_000,
  'flows/payout-batches/check-keys.ts BATCH_LEASE_MS': 60_000,
  'flows/refunds/advance.ts LEASE_MS': 60_000,
  'flows/refunds/pay.ts NO_LIMITS': { payoutsPerDay: null, payoutSumPerDay: null },
  'flows/people/seal-stored.ts COMMIT_WITHIN_MS': 60_000,
  'checkout/receipts/routes.ts RETRY_AFTER_SECONDS': 5,
  'flows/receipts/mail.ts LEASE_MS': 300_000,
  'flows/receipts/mail.ts MAX_AGE_MS': 2 * 86_400_000,
  'mail/smtp.ts STEP_TIMEOUT_MS': 15_000,
  'core/team/company-sign-in.ts COMPANY_SIGN_IN_MS': 600_000,
  'core/team/totp.ts STEP_MS': 30_000,
  'flows/team/sessions.ts SEEN_EVERY_MS': 60_000,
  'oidc/company-sign-in.ts METADATA_LASTS_MS': 3_600_000,
  'oidc/company-sign-in.ts TIMEOUT_SECONDS': 10,
  'workers/receipt-mails.ts REST_MS': 5_000,
  'workers/invitation-mails.ts REST_MS': 5_000,
  'flows/team/invitation-mails.ts LEASE_MS': 300_000,
  'workers/alarm-mails.ts REST_MS': 5_000,
  'workers/alarm-mails.ts FORGET_EVERY_MS': 3_600_000,
  'flows/ledger/alarm-mails.ts LEASE_MS': 300_000,
  'console/sandbox/page.ts MOVED_MS': 2_000,
  'flows/receipts/statements.ts KEPT_MS': 1_000,
  'flows/secrets-key.ts SECRETS_KEY_POLL_MS': 1_000,
  'rails/access-token.ts MAX_LIFETIME_SECONDS': 86_400,
  'rails/mono/payouts.ts RESEND_AFTER_MS': 120_000,
  'rails/mono/signature.ts TOLERANCE_SECONDS': 300,
  'rails/notice.ts MAX_AHEAD_MS': 86_400_000,
  'rails/placetopay/banks.ts PAYER_WAITS_MS': 2_000,
  'rails/statement.ts MAX_AHEAD_MS': 366 * 86_400_000,
  'rails/wompi/banks.ts LIST_LASTS_MS': 3_600_000,
  'rails/wompi/payouts.ts RESEND_AFTER_MS': 120_000,
  'core/ledger/reconciliation.ts UNFINISHED_AFTER_MS': 3_600_000,
  'rails/simulator.ts TIMEOUT_MS': 10_000,
  'service.ts LAST_USE_EVERY_MS': 30_000,
  'store/db-share.ts WAIT_MS': 2_000,
  'store/backups/snapshot.ts SCHEMA_LOCK_WAIT_MS': 30_000,
  'store/schema-lock.ts POLL_MS': 50,
  'store/patient-locks.ts QUIET_WAIT_MS': 5_000,
  'store/patient-locks.ts FIRST_PAUSE_MS': 250,
  'store/patient-locks.ts LONGEST_PAUSE_MS': 4_000,
  'store/db.ts STATEMENT_TIMEOUT_MS': 2_500,
  'store/db.ts LOCK_TIMEOUT_MS': 2_000,
  'store/db.ts READ_MARGIN_MS': 300,
  'store/db.ts NO_TIMEOUT_MS': 2_147_483_647,
  'store/db.ts IDLE_IN_TRANSACTION_TIMEOUT_MS': 10_000,
  'store/db.ts CONNECT_TIMEOUT_MS': 2_000,
  'store/db.ts MAX_TRANSACTION_ATTEMPTS': 5,
  'store/connections/connection-days.ts PAYIN_LIFE_MS': 2 * 86_400_000,
  'store/connections/connection-days.ts PAYOUT_LIFE_MS': 31 * 86_400_000,
  'store/work-signals.ts RECONNECT_MS': 1_000,
  'store/work-signals.ts LISTEN_EVERY_MS': 5_000,
  'store/work-signals.ts ANSWER_WITHIN_MS': 2_000,
  'webhooks/answer-reader.ts DEFAULT_KEEP_MS': 4_000,
  'webhooks/answer-reader.ts MAX_KEEP_MS': 30_000,
  'webhooks/answer-reader.ts KEEP_MARGIN_MS': 1_000,
  'webhooks/answer.ts MAX_RETRY_AFTER_SECONDS': 3_600,
  'webhooks/connections.ts UNUSED_KEEP_MS': 1_000,
  'webhooks/name-lookup.ts ATTEMPT_MS': 700,
  'webhooks/name-lookup.ts ATTEMPTS': 2,
  'webhooks/send.ts SWEEP_MS': 1_000,
  'workers/wait-for-more-work.ts WAIT_MS': 10,
  'workers/deliveries.ts LEASE_MS': 120_000,
  'workers/deliveries.ts BEGIN_WITHIN_MS': 60_000,
  'workers/deliveries.ts REST_MS': 250,
  'workers/start.ts REST_MS': 250,
  'workers/retention.ts REST_MS': 3_600_000,
  'workers/start.ts SUSPENSE_REST_MS': 3_600_000,
  'workers/start.ts LAPSE_REST_MS': 5_000,
  'workers/people.ts PEOPLE_REST_MS': 60_000,
  'workers/search.ts SEARCH_REST_MS': 30_000,
  'core/payins/schedule.ts PAYIN_LEASE_MS': 60_000,
  'workers/start.ts LINK_LEASE_MS': 10_000,
  'workers/start.ts NOTICE_LEASE_MS': 30_000,
  'workers/start.ts ORGANIZATION_CACHE_MS': 800,
  'workers/reconciliation.ts REST_MS': 1_000,
  'api/http/shared-rate-limit.ts ANSWER_WITHIN_MS': 1_000,
  'store/db.ts PIPELINE_TIMEOUT_MS': 30_000,
  'store/partitions.ts LOCK_WAIT_MS': 200,
  'store/partitions.ts TRIES': 3,
  'store/due-work.ts PATIENT_TIMEOUT_MS': 60_000,
  'workers/due-search.ts LATE_COMMIT_MS': 1_000,
  'workers/due-search.ts SLOW_SWEEP_MS': 1_000,
  'workers/due-search.ts SWEEP_EVERY_MS': 2_000,
  'workers/start.ts WATCHED_REST_MS': 5_000,
  'workers/watch.ts REST_MS': 250,
}

// Tables of limits: each member with its page, or by itself.
const LIMITS: Readonly<Record<string, Readonly<Record<string, Row | number>>>> = {
  'core/webhooks/portal-link.ts PORTAL_LINK_MINUTES': {
    minimum: 1,
    default: {
      says: [['docs/guides/en/webhooks.md', /how long it works: (\d+) unless/]],
      as: ([minutes]) => Number(minutes),
    },
    maximum: {
      says: [['docs/guides/en/webhooks.md', /how long it works: .*?, (\d+) \(a day\) at most/]],
      as: ([minutes]) => Number(minutes),
    },
  },
  'rails/limits.ts LIMITS': {
    submitMs: { says: [['docs/rails.md', /last byte in: (10 s) for a submit or a return/]] },
    queryMs: { says: [['docs/rails.md', /return, (5 s) for a query, a cancelation or a lookup/]] },
    lookUpMs: {
      says: [
        ['docs/rails.md', /return, (5 s) for a query, a cancelation or a lookup/],
        ['docs/guides/en/sandbox.md', /answers after 10 seconds, we wait (\d+)/],
      ],
      as: ([said = '']) => (said.includes('s') ? durationMs(said) : Number(said) * 1_000),
    },
    tries: {
      says: [['docs/rails.md', /pages of a statement are retried (\w+) within that time/]],
      as: ([said]) => 1 + (said === 'twice' ? 2 : Number.NaN),
    },
    breakAfterFailures: {
      says: [['docs/rails.md', /After (\w+) calls in a row without any answer/]],
      as: asNumber,
    },
    breakMs: { says: [['docs/rails.md', /the network gets a pause of (5 s)/]] },
    answerBytes: {
      says: [['docs/rails.md', /more than (\d+) KiB, a redirect/]],
      as: ([said]) => Number(said) * 1_024,
    },
    statementMs: { says: [['docs/rails.md', /a lookup, (a minute) for a page of a statement/]] },
    statementLines: 2_000,
    statementBytes: 4 * 1_024 * 1_024,
    tokenMs: 5_000,
    connectMs: 3_000,
    connections: 64,
    lookUpConnections: 512,
    pauseFromMs: 50,
    pauseToMs: 250,
    tokenMarginMs: 60_000,
  },
  'rails/provider.ts PROVIDER_LIMITS': { answerBytes: 1_024 * 1_024 },
  'tracing/exporter.ts EXPORT_LIMITS': {
    queue: 2_048,
    batch: 512,
    everyMs: 1_000,
    timeoutMs: 10_000,
    tries: 4,
    pauseMs: 1_000,
    closeMs: 2_000,
  },
  'core/people/note.ts METADATA_LIMITS': { keys: 20, nameLength: 40, valueLength: 200 },
  'webhooks/probe.ts PROBE_LIMITS': {
    totalMs: { says: [['docs/guides/en/webhooks.md', /each within (five seconds)/]] },
    headersMs: 5_000,
    connectMs: 2_000,
    waitMs: 3_000,
  },
  'webhooks/send.ts SEND_LIMITS': {
    totalMs: {
      says: [
        ['docs/webhooks.md', /answer 2xx within (15 seconds)/],
        ['docs/guides/en/webhooks.md', /Any 2xx within (15 seconds)/],
      ],
    },
    connectMs: 3_000,
    waitMs: 5_000,
    headersMs: 10_000,
    responseBytes: 64 * 1_024,
    headerBytes: 16 * 1_024,
    connectionsPerEndpoint: 32,
    endpoints: 1_000,
  },
}

function check(value: unknown, { says, as = inMs }: Row): void {
  for (const [page, pattern] of says) assert.deepEqual(value, as(saidIn(page, pattern)), page)
}

describe('a constant of a schedule', () => {
  it('is in one of the tables', () => {
    const known = [DOCUMENTED, UNSAID, LIMITS].flatMap((table) => Object.keys(table))
    assert.deepEqual([...CONSTANTS.keys()].sort(), known.sort())
  })

  for (const [name, row] of Object.entries(DOCUMENTED))
    it(`${name} is what the documentation says`, () => check(CONSTANTS.get(name), row))

  for (const [name, value] of Object.entries(UNSAID))
    it(`${name} is as it was`, () => assert.deepEqual(CONSTANTS.get(name), value))

  for (const [name, members] of Object.entries(LIMITS)) {
    it(`${name} has members as documented`, () => {
      const limits = CONSTANTS.get(name) as Record<string, unknown>
      assert.deepEqual(Object.keys(limits).sort(), Object.keys(members).sort())
      for (const [member, row] of Object.entries(members)) {
        if (typeof row === 'number') assert.equal(limits[member], row, member)
        else check(limits[member], row)
      }
    })
  }

  it('of a lease outlasts what is done under it', () => {
    const ms = (name: string) => CONSTANTS.get(name) as number
    const rails = CONSTANTS.get('rails/limits.ts LIMITS') as Record<string, number>
    const send = CONSTANTS.get('webhooks/send.ts SEND_LIMITS') as Record<string, number>
    const longestCall = (rails.submitMs ?? 0) + (rails.lookUpMs ?? 0) + (rails.tokenMs ?? 0)
    assert.ok(ms('core/payins/schedule.ts PAYIN_LEASE_MS') > 2 * longestCall)
    assert.ok(ms('flows/payouts/dispatch.ts LEASE_MS') > 2 * longestCall)
    assert.ok(ms('flows/refunds/advance.ts LEASE_MS') > 2 * longestCall)
    assert.ok(ms('flows/payout-batches/check-keys.ts BATCH_LEASE_MS') > 2 * longestCall)
    for (const provider of ['mono', 'wompi'])
      assert.ok(
        ms(`rails/${provider}/payouts.ts RESEND_AFTER_MS`) > ms('flows/payouts/dispatch.ts LEASE_MS'),
        'an order without an answer is not sent again while its worker may still wait for one',
      )
    const longestWait = readConfig({ KEY_WAIT_MS: '10000' }).keyWaitMs
    assert.ok(ms('api/http/idempotency.ts FINISHED_AFTER_MS') > 2 * longestWait)
    // A payin is open for a day, and an hour more.
    const openMs = 86_400_000 + ms('core/payins/schedule.ts GRACE_AFTER_EXPIRY_MS')
    assert.ok(ms('store/connections/connection-days.ts PAYIN_LIFE_MS') > openMs)
    assert.ok(ms('flows/ledger/reconcile.ts PAGE_LEASE_MS') > 2 * (rails.statementMs ?? Number.NaN))
    assert.ok(ms('workers/start.ts ORGANIZATION_CACHE_MS') < 1_000, 'changed within a second')
    const begun = ms('workers/deliveries.ts BEGIN_WITHIN_MS') + (send.totalMs ?? 0)
    assert.ok(ms('workers/deliveries.ts LEASE_MS') > begun)
    assert.ok(ms('api/http/credential-cache.ts USE_UNTIL_MS') < 1_000, 'revoked within a second')
    const { recheckMs } = CONSTANTS.get('api/events/stream.ts STREAM_TIMES') as { recheckMs: number }
    const noticedMs = ms('api/http/credential-cache.ts RENEW_AFTER_MS') + 2 * recheckMs
    assert.ok(noticedMs < 1_000, 'open streams end within a second')
  })

  it('of what is kept is longer than anybody looks for it', () => {
    const value = (name: string) => CONSTANTS.get(name) as number
    // The second comparison of a day looks this far back.
    const recheckDays = value('core/ledger/reconciliation.ts RECHECK_AFTER_MS') / 86_400_000
    const reachDays = value('store/ledger/other-days.ts NEIGHBOR_DAYS') + recheckDays
    assert.ok(value('core/retention.ts STATEMENT_LINE_DAYS') > 2 * reachDays, 'with as much to spare')
  })
})

// The constants in use: a factor at the place of use would pass the table.
describe('the schedule in use', () => {
  const ID = '0199a0b0-0000-7000-8000-000000000002'
  const organization = newOrganization('0199a0b0-0000-7000-8000-000000000001', 'Café La Palma', 0)
  const customer = { ...CUSTOMER, idType: 'CO_CC' } as const
  const request = { amountInCents: 1n, reference: 'r', customer, callbackUrl: null }
  const breb = newPayin(organization, ID, { ...request, way: { rail: 'BRE_B', keyType: 'SINGLE_USE' } })
  const way = { rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' } as const
  const pse = newPayin({ ...organization, payinExpiryMinutes: 1_440 }, ID, { ...request, way })
  const MINUTE = 60_000

  it('a payin expires after fifteen minutes, and is given an hour of grace', () => {
    assert.equal(breb.expiresAt - breb.createdAt, 15 * MINUTE)
    assert.equal(isPastGracePeriod(breb, breb.expiresAt + 60 * MINUTE - 1), false)
    assert.equal(isPastGracePeriod(breb, breb.expiresAt + 60 * MINUTE), true)
  })

  it('a silent network is asked on time, and again', () => {
    const { createdAt } = breb
    assert.equal(firstQueryAt(breb, createdAt) - createdAt, 30_000)
    assert.equal(nextQueryAt(breb, createdAt) - createdAt, 2 * MINUTE)
    assert.equal(firstQueryAt(pse, createdAt) - createdAt, 7 * MINUTE)
    assert.equal(nextQueryAt(pse, createdAt) - createdAt, 12 * MINUTE)
  })

  it('a provider is asked whether the payer can pay after half a second, and then ever later', () => {
    const { createdAt } = breb
    const asked = (attempts: number) =>
      askWhetherReadyAt({ ...breb, progress: { ...breb.progress, attempts } }, createdAt) - createdAt
    assert.deepEqual([0, 1, 2, 6, 7, 20].map(asked), [500, 1_000, 2_000, 32_000, 32_000, 32_000])
    assert.equal(askWhetherReadyAt(breb, breb.expiresAt - 1), breb.expiresAt)
  })

  it('a link lives an hour', () => {
    const link = newPaymentLink(organization.organizationId, ID, Buffer.alloc(16), {
      ...request,
      callbackUrl: 'https://shop.example',
      rail: null,
      bank: null,
    })
    assert.equal(link.expiresAt - link.createdAt, 60 * MINUTE)
  })

  it('a payout waits half an hour for its key', () => {
    const payout = newPayout(organization.organizationId, ID, {
      ...request,
      keyString: '@ANAGOMEZ',
      keyType: 'ALPHANUMERIC',
    })
    assert.equal(deferForKey(payout, payout.createdAt + 30 * MINUTE - 1).next?.status, 'PROCESSING')
    assert.equal(deferForKey(payout, payout.createdAt + 30 * MINUTE).next?.status, 'DECLINED')
  })

  it('an event is sent again after each wait, a tenth sooner or later, and then no more', () => {
    const result = {
      status: 500,
      latencyMs: 1,
      response: '',
      failure: 'STATUS',
      retryAfterSeconds: null,
      delivered: false,
      gone: false,
    }
    for (const [before, waitMs] of RETRY_AFTER_MS.entries()) {
      const due = (random: number) => afterAttempt(result, before, RETRY_AFTER_MS, random, 0).dueAt
      assert.deepEqual([due(0), due(0.5), due(1)], [waitMs * 0.9, waitMs, waitMs * 1.1].map(Math.round))
    }
    const last = afterAttempt(result, RETRY_AFTER_MS.length, RETRY_AFTER_MS, 0.5, 0)
    assert.deepEqual(last, { state: 'FAILED', dueAt: null })
  })

  it('a statement is late a day after either comparison was due', () => {
    const [day, before] = ['2026-11-14', '2026-11-13']
    const due = dueAfterDay(day) + 24 * 60 * MINUTE
    assert.deepEqual([lateDays(due - 1).compared, lateDays(due).compared], [before, day])
    const again = due + 72 * 60 * MINUTE
    assert.deepEqual([lateDays(again - 1).comparedAgain, lateDays(again).comparedAgain], [before, day])
  })

  it('a notification is good for five minutes, before and after', () => {
    const body = Buffer.from('{}')
    const sentAt = 1_800_000_000
    const headers = {
      [ID_HEADER]: 'n1',
      [TIMESTAMP_HEADER]: String(sentAt),
      [SIGNATURE_HEADER]: signNotice('key', 'n1', sentAt, body),
    }
    const at = (seconds: number) => verifyNotice(['key'], headers, body, (sentAt + seconds) * 1_000)
    assert.deepEqual([-301, -300, 0, 300, 301].map(at), [undefined, 'n1', 'n1', 'n1', undefined])
  })
})
