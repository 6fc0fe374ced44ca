import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Markup } from "../../../src/features/pages/product.tsx";
import { plainText, readMarkup } from "../../../src/features/catalogue/markup.ts";
import { runs } from "../../support/runs.ts";

/** The HTML of the page for the catalogue's HTML. */
const shown = (source: string) =>
  (Markup({ source, lang: "" }) as { toString: () => string })
    .toString()
    .replace(/^<div class="prose" lang="" dir="auto">|<\/div>$/g, "");

describe("the catalogue's HTML", () => {
  test.each([
    ["plain words", "<p>plain words</p>"],
    ["<p>One</p>\n<p>Two</p>", "<p>One</p><p>Two</p>"],
    [
      "<p>a <strong>b <em>c</em></strong></p>",
      "<p>a <strong>b </strong><strong><em>c</em></strong></p>",
    ],
    ["one<br>two<br/>three", "<p>one\ntwo\nthree</p>"],
    ["first line\nsecond line", "<p>first line\nsecond line</p>"],
    ["<ul><li>a</li><li>b</li></ul>after", "<ul><li>a</li><li>b</li></ul><p>after</p>"],
    ["<ol><li>a<li>b</ol>", "<ol><li>a</li><li>b</li></ol>"],
    ["<h2>Title</h2>text<div>more</div>", "<p>Title</p><p>text</p><p>more</p>"],
    ["café &amp; tea &#8211; &#x1F375; &nope;", "<p>café &amp; tea – 🍵 &amp;nope;</p>"],
    [
      "<table><tr><th>Size</th><th>Chest</th></tr><tr><td><p>S</p></td><td>90<br>cm</td></tr></table>after",
      "<p>Size · Chest</p><p>S · 90 cm</p><p>after</p>",
    ],
    ["<p> </p><p></p><br>", ""],
    ['see <a href="/x">a link</a> here', "<p>see a link here</p>"],
    ['one<img src="x">two', "<p>onetwo</p>"],
    ["<b>a</b> <i>b</i>", "<p><strong>a</strong> <em>b</em></p>"],
    ["<p>a \n\t b </p>", "<p>a b</p>"],
    ["<!-- a comment -->first\nsecond", "<p>first second</p>"],
    ["<p><b> </b>x<i> </i></p>", "<p>x</p>"],
    ["a<span style='Display : none'>x<span>y</span>z</span>b", "<p>ab</p>"],
    ['a<div title=">" style="color:red;display&#58;none">x<div>y</div>z</div>b', "<p>ab</p>"],
    ["a<b hidden>x</b>b<i style=font-size:0px>y</i>c<u style='opacity: 0.0'>z</u>", "<p>abc</p>"],
    ['<p style="visibility:hidden">x<p title="a hidden one">shown', "<p>shown</p>"],
    ['<p style="opacity:0.9;font-size:0.8em">shown<img hidden src=x> all</p>', "<p>shown all</p>"],
    ["<script>'<script>' x</script>shown", "<p>shown</p>"],
    [
      '<p style="background-color: transparent">shown<u style="text-indent:-9999px">x',
      "<p>shown</p>",
    ],
    ["a<!-->b<!--->c<!--x--!>d<dialog>x</dialog>e", "<p>abcde</p>"],
    ["<ul></ul>after", "<p>after</p>"],
    ["<ul><li>not closed", "<ul><li>not closed</li></ul>"],
    ["a&nbsp;b &#X41;&#x42;", "<p>a\u00a0b AB</p>"],
  ])("%j becomes %j", (source, expected) => {
    expect(shown(source)).toBe(expected);
  });

  test.each([
    ["<script>alert(1)</script>safe", "<p>safe</p>"],
    ["<SCRIPT SRC=//evil.example>x</SCRIPT >safe", "<p>safe</p>"],
    ["<script>never closed", ""],
    ["<img src=x onerror=alert(1)>safe", "<p>safe</p>"],
    ["<svg><script>alert(1)</script><p>x</svg>safe", "<p>safe</p>"],
    ['<a href="javascript:alert(1)" onclick="x()">safe</a>', "<p>safe</p>"],
    ["<p style=\"background:url('x')\">safe", "<p>safe</p>"],
    ["<!-- <p>hidden</p> -->safe<!-- never closed", "<p>safe</p>"],
    ["<style>body{display:none}</style>safe", "<p>safe</p>"],
    ["<iframe srcdoc='<script>x</script>'></iframe>safe", "<p>safe</p>"],
    [
      "<strong>unclosed <em>twice",
      "<p><strong>unclosed </strong><strong><em>twice</em></strong></p>",
    ],
    ["</p></ul></strong>safe", "<p>safe</p>"],
    ["</strong></em><strong>a</strong><em>b</em>", "<p><strong>a</strong><em>b</em></p>"],
    ["<textarea>x</textarea><title>x</title><xmp>x</xmp><select>x</select>safe", "<p>safe</p>"],
    ["<template>x</template><noscript>x</noscript><object>x</object>safe", "<p>safe</p>"],
    ["<svg/>safe", "<p>safe</p>"],
    ["</style>safe", "<p>safe</p>"],
    ["a < b and <", "<p>a &lt; b and &lt;</p>"],
    ["&lt;script&gt;alert(1)&lt;/script&gt;", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"],
    ["&#60;img src=x onerror=alert(1)&#62;", "<p>&lt;img src=x onerror=alert(1)&gt;</p>"],
    ["&#0;&#xD800;&#99999999;safe", "<p>&amp;#99999999;safe</p>"],
    ["&#31;&#xDFFF;&#1114112;safe", "<p>safe</p>"],
    ["&#32;&#xD7FF;&#xE000;&#1114111;safe", "<p>\ud7ff\ue000\u{10ffff}safe</p>"],
    [
      "<<p>script>alert(1)<</p>/script>",
      "<p>&lt;</p><p>script&gt;alert(1)&lt;</p><p>/script&gt;</p>",
    ],
  ])("%j is sanitised to %j", (source, expected) => {
    expect(shown(source)).toBe(expected);
  });
});

describe("the texts in the catalogue's HTML", () => {
  test("may name characters that texts and prices need", () => {
    const names = "amp lt gt quot apos nbsp";
    const text = names.replace(/\w+ ?/g, (name) => `&${name.trim()};`);
    expect(plainText(`x${text}x`)).toBe(`x&<>"' x`);
  });

  test("is reduced to the allowed tags without attributes, for arbitrary input", () => {
    const piece = fc.constantFrom(
      ..."< > </ <p <p> <ul> <li> </ul> <strong> <em> <script> </script> <svg onload=x> <!-- --> \" ' & &lt; &#60; = on".split(
        " ",
      ),
      "text",
      " ",
      "\n",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 5 }))), (pieces) => {
        const rest = shown(pieces.join("")).replace(/<\/?(?:p|ul|ol|li|strong|em)>/g, "");
        expect(rest).not.toMatch(/[<>]/);
      }),
      { numRuns: runs(500) },
    );
  });

  test("is parsed in linear time, also if it is malformed", () => {
    const startedAtMs = performance.now();
    for (const part of ["<a ", "<!--", "<p", "&#", '<x "', "<script>", "</"]) {
      readMarkup(part.repeat(50_000 / part.length));
    }
    // In quadratic time this would take minutes.
    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
  });

  test("as plain text is one line", () => {
    expect(plainText("<p>One\n two</p><ul><li>three</li></ul>")).toBe("One two three");
    expect(plainText(" One\n\n  two<br>three ")).toBe("One two three");
    expect(plainText("One\n\n  two ")).toBe("One two");
  });
});
