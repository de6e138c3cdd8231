/** An id that nobody else makes up. */
export function randomId(): string {
  // Without https a browser hides randomUUID, but not the random bytes that it is made of.
  if ('randomUUID' in crypto) return crypto.randomUUID();
  const bytes = (crypto as Crypto).getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
