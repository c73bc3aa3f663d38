import { makePlugin } from '../../core/plugin/make-plugin.ts';
import { askUser } from './tool.ts';

/** `ask_user`: its questions are known only at run time, so every surface shows its own form for them. */
export const askUserPlugin = makePlugin(askUser).onElicit({}).build();
