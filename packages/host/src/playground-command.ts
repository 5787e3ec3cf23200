import { parseArgs } from 'node:util'
import { readProfile } from '@storeport/conformance'
import { errorAnswer, namesFor } from '@storeport/core'
import { readPort, type RunningServer, serve, SettingsError } from '@storeport/node'
import { createPlayground } from '@storeport/playground'
import { describeOptionError } from './settings/describe-argument.ts'
import { openSignIn } from './settings/secrets.ts'
import { makeFromSettings, readPlayground, readShopName, throwSettingsError } from './settings/settings.ts'

/** `storeport playground`: shows any implementation as the customer sees it. The browser never receives the API key. */
export async function playgroundCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ url: string; playgroundUrl: string; close(): Promise<void> }> {
  const { url: baseUrl, key, vendor, currency, profile: file, port, host, data, shopName } = readOptions(args, env)
  const profile = file === undefined ? undefined : await readProfile(file).catch(throwProfileError)
  const { token, cookieName, signInUrl } = await openSignIn(data)
  let running: RunningServer | undefined
  const playground = makeFromSettings({ apiKeySource: 'STOREPORT_API_KEY' }, () =>
    createPlayground({
      target: { baseUrl, apiKey: key, names: namesFor({ vendor }) },
      token,
      cookieName: () => cookieName(running?.port ?? port),
      profile,
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
