import { join } from 'node:path'

/** Returns the configuration of an nginx with one process and its files in one folder, around a merchant's `server` block. */
export function nginxConfiguration(folder: string, server: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  return `daemon off; master_process off; pid ${join(folder, 'nginx.pid')}; error_log stderr;
    events {}
    http {
      access_log off;
      ${temporary.join('\n')}
      ${server}
    }`
}
