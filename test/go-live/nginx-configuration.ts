import { join } from 'node:path'

/** Wraps a merchant's `server` block in an nginx configuration with one process, whose files are in one folder. */
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
