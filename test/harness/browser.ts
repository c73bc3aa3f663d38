import { type Browser, chromium } from 'playwright-core';
import { ensureChromium } from './chromium.ts';

/** A Chromium that talks to this machine only. Close it when done. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await ensureChromium(),
    headless: process.env.PARLEY_HEADED === undefined,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE *.localhost , EXCLUDE 127.0.0.1',
      '--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets,BlockInsecurePrivateNetworkRequests',
    ],
  });
}
