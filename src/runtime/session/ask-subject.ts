import type { ElicitAsk, RootsAsk, SampleAsk } from './ask.ts';

/** What an ask is about, by its kind. */
export type AskSubject =
  | {
      readonly kind: 'elicit';
      readonly declared: boolean;
      readonly inEditor?: true;
      readonly person?: true;
      readonly request: ElicitAsk['request'];
    }
  | { readonly kind: 'sample'; readonly request: SampleAsk['request'] }
  | { readonly kind: 'roots'; readonly request: RootsAsk['request'] };
