import type { NextRequest } from 'next/server'
import { drawImage } from '../../../images.ts'

export async function GET(_request: NextRequest, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  const { file } = await params
  return new Response(drawImage(file), { headers: { 'Content-Type': 'image/svg+xml' } })
}
