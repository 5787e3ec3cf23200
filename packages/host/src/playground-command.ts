import { parseArgs } from 'node:util'
import { offeredBy, parseProfile, type Profile, readProfile, sendByHttp } from '@storeport/conformance'
import { dateIn, errorAnswer, namesFor } from '@storeport/core'
import { readPort, type RunningServer, serve, SettingsError } from '@storeport/node'
import { createPlayground, type PlaygroundOptions } from '@storeport/playground'
import { describeOptionError } from './settings/describe-argument.ts'
import { openSignIn } from './settings/secrets.ts'
import { makeFromSettings, readPlayground, readShopName, throwSettingsError } from './settings/settings.ts'

/** `storeport playground`: shows any implementation as the customer sees it. The browser never receives the API key. */
export async function playgroundCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ url: string; playgroundUrl: string; close(): Promise<void> }> {
  const {
    url: baseUrl,
    key: apiKey,
    vendor,
    currency,
    profile: file,
    port,
    host,
    data,
    shopName,
  } = readOptions(args, env)
  const names = namesFor({ vendor })
  const profile = file === undefined ? undefined : await readProfile(file).catch(throwProfileError)
  const { token, cookieName, signInUrl } = await openSignIn(data)
  let running: RunningServer | undefined
  const playground = makeFromSettings({ apiKeySource: 'STOREPORT_API_KEY' }, () =>
    createPlayground({
      target: { baseUrl, apiKey, names },
      token,
      cookieName: () => cookieName(running?.port ?? port),
      // Sends requests without fields, which change nothing.
      offered: () => offeredBy({ send: sendByHttp(baseUrl), apiKey, names, profile: profile ?? parseProfile({}) }),
      ...(profile && describeProfile(profile)),
      currency,
      shopName,
    }),
  )
  running = await serve(
    { owns: () => false, answer: async () => errorAnswer('endpoint_not_found') },
    {
      port,
      host,
      fallback: async (req, res) => {
        if (await playground(req, res)) return
        const { status, headers, body } = errorAnswer('endpoint_not_found')
        res.writeHead(status, headers).end(body)
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

function readOptions(args: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const values = parseOptions(args)
  const { url = env['STOREPORT_URL'], key = env['STOREPORT_API_KEY'], vendor, profile } = values
  const currency = (values.currency ?? env['STOREPORT_CURRENCY']) || undefined
  if (url === undefined || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new SettingsError('playground: no valid shop URL. Pass --url https://shop.example, or set STOREPORT_URL.')
  }
  if (key === undefined || key === '') {
    throw new SettingsError('playground: no API key. Pass --key, or set STOREPORT_API_KEY.')
  }
  const port = readPort((values.port ?? env['PORT']) || '3000')
  const host = (values.host ?? env['HOST']) || '127.0.0.1'
  if (!readPlayground((values.playground ?? env['STOREPORT_PLAYGROUND']) || undefined, host, env['NODE_ENV'])) {
    throw new SettingsError(
      'playground: off by default in production and if HOST is not a loopback address. Set STOREPORT_PLAYGROUND=on to enable it. The playground is then protected only by its token.',
    )
  }
  const shopName = readShopName(values['shop-name'] ?? env['STOREPORT_SHOP_NAME'])
  const data = (values.data ?? env['STOREPORT_DATA']) || '.storeport'
  return { url: url.replace(/\/+$/, ''), key, vendor, currency, profile, port, host, data, shopName }
}

const optionNames = [
  'url',
  'key',
  'vendor',
  'currency',
  'profile',
  'port',
  'host',
  'data',
  'playground',
  'shop-name',
] as const

function parseOptions(args: readonly string[]): Partial<Record<(typeof optionNames)[number], string>> {
  const options = Object.fromEntries(optionNames.map((name) => [name, { type: 'string' as const }]))
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new SettingsError(`playground: ${describeOptionError(error, optionNames)}`)
  }
}

function throwProfileError(error: unknown): never {
  if (error instanceof TypeError) throw new SettingsError(`playground: --profile: ${error.message}`)
  throw error
}
