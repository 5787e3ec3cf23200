import { offeredBy, parseProfile, type Profile, readProfile, sendByHttp } from '@storeport/conformance'
import { dateIn, errorAnswer, namesFor } from '@storeport/core'
import { serve, SettingsError } from '@storeport/node'
import { createPlayground, type PlaygroundOptions } from '@storeport/playground'
import { answerError } from './host-routes.ts'
import { openSignIn } from './settings/secrets.ts'
import { type Environment, makeFromSettings, readCommand, throwSettingsError } from './settings/settings.ts'

/** `storeport playground`: shows any implementation as the customer sees it. The browser never receives the API key. */
export async function playgroundCommand(args: readonly string[], env: Environment) {
  const { url: baseUrl, key: apiKey, profile: file, ...settings } = readOptions(args, env)
  const { vendor, currency, port, host, data, shopName } = settings
  const names = namesFor({ vendor })
  const profile = file === undefined ? undefined : await readProfile(file).catch(throwProfileError)
  const { token, signInUrl } = await openSignIn(data)
  const playground = makeFromSettings({ apiKeySource: 'STOREPORT_API_KEY' }, () =>
    createPlayground({
      target: { baseUrl, apiKey, names },
      token,
      // Sends requests without fields, which change nothing.
      offered: () => offeredBy({ send: sendByHttp(baseUrl), apiKey, names, profile: profile ?? parseProfile({}) }),
      ...(profile && describeProfile(profile)),
      currency,
      shopName,
    }),
  )
  const running = await serve(
    { owns: () => false, answer: async () => errorAnswer('endpoint_not_found') },
    {
      port,
      host,
      fallback: async (req, res) => {
        if (!(await playground(req, res))) answerError(res, 'endpoint_not_found')
      },
    },
  ).catch(throwSettingsError)
  return { url: running.url, playgroundUrl: signInUrl(running.url), close: running.close }
}

/** Labels of the customers of a profile, in display order. */
const customerLabels = [
  ['subscribed', 'Subscriber'],
  ['cancelled', 'Cancelled, can restart'],
  ['otherCustomer', 'Second subscriber'],
  ['empty', 'Not subscribed yet'],
  ['unknown', 'Not a customer'],
] as const

/** Returns the test data of a profile for the page. */
function describeProfile({ customers, discounts, actions, today, timeZone }: Profile): Partial<PlaygroundOptions> {
  const { percentage, fixed, expired } = discounts
  return {
    customers: customerLabels.flatMap(([role, label]) => {
      const email = customers[role]
      return email === undefined ? [] : [{ email, label }]
    }),
    discountCodes: [percentage?.code, fixed?.code, expired].filter((code) => code !== undefined),
    actions: actions.known === undefined ? [] : [{ id: actions.known }],
    today: () => today ?? dateIn(timeZone)(new Date()),
  }
}

function readOptions(args: readonly string[], env: Environment) {
  const own = { url: 'string', key: 'string', profile: 'string' } as const
  const flags = ['vendor', 'currency', 'port', 'host', 'data', 'playground', 'shop-name'] as const
  // The key is for the shop, so it need not be a valid key of a host.
  const others = { ...env, STOREPORT_API_KEY: undefined, STOREPORT_API_KEYS: undefined }
  const { text, settings } = readCommand('playground: ', args, others, { own, flags })
  const url = text('url') ?? env['STOREPORT_URL']
  const key = text('key') ?? env['STOREPORT_API_KEY']
  if (url === undefined || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new SettingsError('playground: no valid shop URL. Pass --url https://shop.example, or set STOREPORT_URL.')
  }
  if (key === undefined || key === '') {
    throw new SettingsError('playground: no API key. Pass --key, or set STOREPORT_API_KEY.')
  }
  if (!settings.playground) {
    throw new SettingsError(
      'playground: off by default in production and if HOST is not a loopback address. Set STOREPORT_PLAYGROUND=on to enable it. The playground is then protected only by its token.',
    )
  }
  return { ...settings, url: url.replace(/\/+$/, ''), key, profile: text('profile') }
}

function throwProfileError(error: unknown): never {
  if (error instanceof TypeError) throw new SettingsError(`playground: --profile: ${error.message}`)
  throw error
}
