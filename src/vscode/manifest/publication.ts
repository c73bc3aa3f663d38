/** Where Parley is published: what its readers follow to the source, to the issues and to help. */
export interface Publication {
  /** The web address of the public repository, without a slash at its end, such as `https://github.com/OWNER/NAME`. */
  readonly repository: string | undefined;
}

/**
 * The one place to set. There is no public repository yet, so that `package.json` says nothing about one: an address that leads
 * nowhere is worse than none. With it set, `npm run manifest` writes `repository`, `bugs` and `homepage`, and the README has its pictures and
 * links in what is published.
 */
export const publication: Publication = { repository: undefined };

/** The fields of `package.json` that follow from it. */
export function publicationFields({ repository }: Publication) {
  return {
    qna: 'marketplace',
    galleryBanner: { color: '#1d4ed8', theme: 'dark' },
    ...(repository === undefined
      ? {}
      : {
          repository: { type: 'git', url: `${repository}.git` },
          bugs: { url: `${repository}/issues` },
          homepage: `${repository}#readme`,
        }),
  } as const;
}
