// The countries and languages that Jina's search supports, in its own codes. It refuses all others.

export const countries: ReadonlySet<string> = new Set(
  `ad ae af ag ai al am an ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs
   bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cx cy cz de dj dk dm do dz ec ee
   eg eh er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy
   hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz
   la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx
   my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re
   ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr st sv sy sz tc td tf tg th tj tk tl
   tm tn to tr tt tv tw tz ua ug um us uy uz va vc ve vg vi vn vu wf ws xk ye yt za zm zw`.split(
    /\s+/,
  ),
);

/** The vendor's code for a two-letter language. Undefined if it has none. */
export function languageOf(code: string): string | undefined {
  const lower = code.toLowerCase();
  const word = renamed[lower] ?? lower;
  return languages.has(word) ? word : undefined;
}

/** Older codes, and the more common of two scripts. */
const renamed: Readonly<Record<string, string>> = { he: 'iw', jv: 'jw', nb: 'no', zh: 'zh-cn' };

const languages: ReadonlySet<string> = new Set(
  `af ak am ar az be bg bh bn br bs ca co cs cy da de ee el en eo es et eu fa fi fo fr fy ga gd
   gl gn gu ha hi hr ht hu hy ia id ig is it iw ja jw ka kg kk km kn ko ku ky la lg ln lo lt lv
   mg mi mk ml mn mo mr ms mt ne nl nn no ny oc om or pa pl ps pt qu rm rn ro ru rw sd sh si sk
   sl sn so sq sr st su sv sw ta te tg th ti tk tl tn to tr tt tw ug uk ur uz vi wo xh yi yo
   zh-cn zu`.split(/\s+/),
);
