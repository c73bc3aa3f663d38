import * as vscode from 'vscode';
import { noticeText } from './notice-text.ts';

/** Characters of a line of ours, with names in it that are not: none of ours is cut off. */
const LONGEST = 500;

/** Tells the person something that needs no answer, and waits for nobody to read it. */
export function inform(text: string): void {
  void vscode.window.showInformationMessage(noticeText(text, LONGEST));
}
