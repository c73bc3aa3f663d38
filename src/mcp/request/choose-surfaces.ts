import type { ClientCapabilities } from '../../core/tool/context.ts';
import { isForPages } from '../../panel/for-pages.ts';
import type { Ask } from '../../runtime/session/ask.ts';

/**
 * Where a person can be asked: a page in the conversation, the client's form, the window of the folder, a page that the client opens, a
 * page that this process opens.
 */
export type PersonSurface = 'app' | 'form' | 'window' | 'link' | 'page';

/** What there is for a call, beside its client. */
export interface SurfacesThere {
  /** The client shows pages in its conversation, as far as is known. */
  readonly app?: boolean;
  /** A window of the folder is open, and reads the same calls. */
  readonly window?: boolean;
  /** This server has an address at which a client may open its pages. */
  readonly links?: boolean;
  /** This process can serve a page, and have it opened. */
  readonly page?: boolean;
}

/**
 * The surfaces on which a question is asked, the one that calls for attention first. The others list it, and come next where the first
 * says that nobody is there. Empty where nobody can be asked. Where the call came from is first, when that can draw all of it.
 *
 * @param question absent for the forms that a tool may ask
 * @param has what whoever answers the call says that it can do
 */
export function chooseSurfaces(
  question: Ask | undefined,
  { elicitation = {} }: ClientCapabilities,
  there: SurfacesThere,
): readonly PersonSurface[] {
  if (question && !isForPages(question)) return [];
  const isThere: Readonly<Record<PersonSurface, boolean | undefined>> = {
    app: there.app,
    form: elicitation.form,
    window: there.window,
    link: there.links && elicitation.url,
    page: there.page,
  };
  return ORDER.filter((surface) => isThere[surface]);
}

const ORDER: readonly PersonSurface[] = ['app', 'form', 'window', 'link', 'page'];
