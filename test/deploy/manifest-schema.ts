// What the manifests may say, kind by kind: the fields of Kubernetes that ours use, and no other, so that a misspelt one is noticed.
// A field that is new in a manifest needs a line here.

type Schema = Readonly<Record<string, unknown>>

const text: Schema = { type: 'string', minLength: 1 }
const whole: Schema = { type: 'integer', minimum: 0 }
const flag: Schema = { type: 'boolean' }
const name: Schema = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$' }
const quantity: Schema = { type: 'string', pattern: '^\\d+(m|Mi|Gi)?$' }
const port: Schema = { anyOf: [{ type: 'integer', minimum: 1, maximum: 65_535 }, name] }
const cidr: Schema = { type: 'string', pattern: '^[0-9a-f:.]+/\\d{1,3}$' }
const labels: Schema = { type: 'object', minProperties: 1, additionalProperties: text }
const selector = object({ matchLabels: labels })
const listOf = (items: Schema): Schema => ({ type: 'array', minItems: 1, items })
const oneOf = (...values: string[]): Schema => ({ enum: values })

// A name that ends in "?" may be left out.
function object(fields: Readonly<Record<string, Schema>>): Schema {
  const plain = (field: string): string => field.replace('?', '')
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(fields).filter((field) => !field.endsWith('?')),
    properties: Object.fromEntries(Object.entries(fields).map(([field, schema]) => [plain(field), schema])),
  }
}

function manifest(apiVersion: string, fields: Readonly<Record<string, Schema>>): Schema {
  const metadata = object({ name, 'labels?': labels })
  return object({ apiVersion: { const: apiVersion }, kind: text, metadata, ...fields })
}

const probe = object({
  httpGet: object({ path: oneOf('/healthz', '/readyz'), port }),
  'periodSeconds?': whole,
  'timeoutSeconds?': whole,
  'failureThreshold?': whole,
})

const container = object({
  name,
  image: text,
  args: listOf(text),
  envFrom: listOf(object({ secretRef: object({ name, 'optional?': flag }) })),
  'env?': listOf(object({ name: text, value: text })),
  'ports?': listOf(object({ name, containerPort: whole })),
  'startupProbe?': probe,
  'livenessProbe?': probe,
  'readinessProbe?': probe,
  'lifecycle?': object({ preStop: object({ sleep: object({ seconds: whole }) }) }),
  resources: object({
    requests: object({ cpu: quantity, memory: quantity }),
    limits: object({ memory: quantity }),
  }),
  // What the strictest level of Kubernetes' own pod security asks for.
  securityContext: object({
    allowPrivilegeEscalation: { const: false },
    readOnlyRootFilesystem: { const: true },
    capabilities: object({ drop: { const: ['ALL'] } }),
  }),
  volumeMounts: listOf(object({ name, mountPath: { const: '/tmp' } })),
})

const pod = (restarts: Readonly<Record<string, Schema>>): Schema =>
  object({
    metadata: object({ labels }),
    spec: object({
      serviceAccountName: name,
      automountServiceAccountToken: { const: false },
      securityContext: object({
        runAsNonRoot: { const: true },
        runAsUser: { const: 1_000 },
        runAsGroup: { const: 1_000 },
        seccompProfile: object({ type: { const: 'RuntimeDefault' } }),
      }),
      containers: listOf(container),
      volumes: listOf(object({ name, emptyDir: object({ sizeLimit: quantity }) })),
      ...restarts,
    }),
  })

const deployment = object({
  replicas: whole,
  selector,
  strategy: object({ rollingUpdate: object({ maxUnavailable: whole, maxSurge: whole }) }),
  template: pod({
    terminationGracePeriodSeconds: whole,
    topologySpreadConstraints: listOf(
      object({
        maxSkew: whole,
        topologyKey: text,
        whenUnsatisfiable: oneOf('ScheduleAnyway', 'DoNotSchedule'),
        labelSelector: selector,
      }),
    ),
  }),
})

const job = object({
  backoffLimit: whole,
  'ttlSecondsAfterFinished?': whole,
  template: pod({ restartPolicy: oneOf('Never', 'OnFailure') }),
})

const peers = listOf({
  anyOf: [
    object({ namespaceSelector: selector }),
    object({ ipBlock: object({ cidr, 'except?': listOf(cidr) }) }),
  ],
})
const ports = listOf(object({ port, 'protocol?': oneOf('TCP', 'UDP') }))

const kustomization = {
  resources: listOf(text),
  'namespace?': name,
  'components?': listOf(text),
  'images?': listOf(object({ name, newName: text, newTag: text })),
  'replicas?': listOf(object({ name, count: whole })),
}

export const SCHEMAS: Readonly<Record<string, Schema>> = {
  Kustomization: object({
    apiVersion: { const: 'kustomize.config.k8s.io/v1beta1' },
    kind: text,
    ...kustomization,
  }),
  Component: object({
    apiVersion: { const: 'kustomize.config.k8s.io/v1alpha1' },
    kind: text,
    ...kustomization,
  }),
  Namespace: manifest('v1', {}),
  ServiceAccount: manifest('v1', { automountServiceAccountToken: { const: false } }),
  Deployment: manifest('apps/v1', { spec: deployment }),
  Job: manifest('batch/v1', { spec: job }),
  CronJob: manifest('batch/v1', {
    spec: object({
      schedule: { type: 'string', pattern: '^[0-9*/,-]+( [0-9*/,-]+){4}$' },
      timeZone: { const: 'America/Bogota' },
      concurrencyPolicy: oneOf('Allow', 'Forbid', 'Replace'),
      jobTemplate: object({ spec: job }),
    }),
  }),
  Service: manifest('v1', {
    spec: object({
      'clusterIP?': { const: 'None' },
      selector: labels,
      ports: listOf(object({ name, port: whole, targetPort: port })),
    }),
  }),
  PodDisruptionBudget: manifest('policy/v1', { spec: object({ minAvailable: whole, selector }) }),
  NetworkPolicy: manifest('networking.k8s.io/v1', {
    spec: object({
      podSelector: object({ 'matchLabels?': labels }),
      policyTypes: listOf(oneOf('Ingress', 'Egress')),
      'ingress?': listOf(object({ from: peers, ports })),
      'egress?': listOf(object({ 'to?': peers, 'ports?': ports })),
    }),
  }),
  ServiceMonitor: manifest('monitoring.coreos.com/v1', {
    spec: object({
      jobLabel: text,
      selector,
      endpoints: listOf(
        object({
          port: name,
          path: { const: '/metrics' },
          interval: { type: 'string', pattern: '^\\d+s$' },
          authorization: object({ credentials: object({ name, key: text }) }),
        }),
      ),
    }),
  }),
  HTTPRoute: manifest('gateway.networking.k8s.io/v1', {
    spec: object({
      parentRefs: listOf(object({ name, namespace: name, sectionName: name })),
      hostnames: listOf(text),
      rules: listOf(
        object({
          matches: listOf(object({ path: object({ type: { const: 'PathPrefix' }, value: text }) })),
          timeouts: object({ request: { const: '0s' } }),
          backendRefs: listOf(object({ name, port: whole })),
        }),
      ),
    }),
  }),
}
