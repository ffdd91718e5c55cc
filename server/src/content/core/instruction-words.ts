// The words of sentences that give a model instructions, by language. A verb, a qualifier and a
// noun close together form such a sentence: "ignore the previous instructions". Also words that are
// ordinary on their own, but form a prompt that gives a model another role when many of them are
// close together: who is addressed, the role, the orders, and what the model is freed from.

export interface Language {
  name: string;
  verbs: string;
  which: string;
  nouns: string;
  /** True if the verb comes first, as in "ignore … instructions". */
  verbFirst: boolean;
  /** Sequences of words, in this order with few words in between. `a|b c` means a or b, then c. */
  phrases: readonly string[];
}

export const languages: readonly Language[] = [
  {
    name: 'English',
    verbs:
      'ignore ignores ignoring disregard disregarding forget forgetting override overriding overrule bypass ' +
      'bypassing discard neglect dismiss cancel erase abandon violate circumvent unfollow disobey skip',
    which:
      'previous prior above all any earlier preceding foregoing former your every everything initial original ' +
      'existing current system other these those my past given before previously user safety',
    nouns:
      'instruction instructions prompt prompts rule rules guideline guidelines direction directions directive ' +
      'directives command commands message messages context constraints programming orders restrictions ' +
      'safeguards training conversation requests inputs configuration protocols filters assignments tasks',
    verbFirst: true,
    phrases: [
      'you are|re now dan|free|unrestricted|evil|jailbroken|roleplaying|chatgpt|gpt|unfiltered',
      'you are|re now a|an|the|my assistant|ai|model|bot|hacker|pirate|agent|chatbot|character|villain',
      'from now on you|respond|reply|answer|act|always|never',
      'pretend you|that|like are|you|have',
      'pretend to be a|an|my|dan|in|the ai|evil|model|hacker|bot|character|assistant|chatbot|human|person',
      'act|roleplay|behave|respond as|like dan|an|a|if unrestricted|unfiltered|ai|evil|dan|chatbot|hacker|jailbroken',
      'developer|dan|god|debug|jailbreak|admin mode enabled|activated|unlocked|engaged',
      'do anything now',
      'you are|re dan|unrestricted|omniscient|unfiltered|uncensored|jailbroken',
      'you are|re running|operating|working in|as|under developer|debug|debugging|admin|maintenance|god|part mode|of|environment test|testing|pipeline|and|mode|you',
      'new|urgent|priority|critical new|important|urgent|critical|updated instruction|instructions|task|directive|directives|orders',
      'regardless|irrespective of your|any|all|pre|previous|prior|existing previous|existing|prior|guidelines|instructions|rules|input',
      'if|when|whenever you are|re told|asked|instructed to summarize|summarise|answer|translate|describe|review|rate',
      'mistake|forgot|error when|to i|ask|gave|tell gave|you your|to instructions|do|to',
      'stop everything now|just|immediately|and just|print|say|output|now|write|do',
      'free|freed|liberated|unbound|unchained from|of|by all|any|your|typical|every constraints|limitations|confines|filters|censorship|ethical|moral|restrictions',
      'unlock|activate|enable|enter|engage hidden|secret|developer|debug|god|unrestricted|admin|jailbreak|dan functionalities|functionality|mode|modes|capabilities|persona',
      'grant|give yourself|temporary|me|elevated admin|administrative|administrator|root|privileges privileges|access|rights|permissions|and',
      'nevermind|nvm that|it|this|all|just|instead|above|the|now|say|print',
      'debugging|troubleshooting please execute|run|perform|output',
      'a|an no|zero limits|restrictions|rules|filters ai|assistant|chatbot|model',
      'prove you|your are|intelligence truly|intelligent|obedient|unrestricted|by',
      'training|test exercise|purposes|pipeline you|only|please|tell|write|ve|to assigned|tell|write|been|have|ensure|send|do',
      'the|your mission should you accept|choose',
      'for academic|educational|testing|research purposes|purpose only|please|tell|write|explain|send|give|provide|do|show|describe',
      'this is a test perform|generate|answer|respond|do|reply|execute|ignore',
      'reveal|print|show|repeat|output|leak|display|disclose|expose|tell|give|share|what|copy your|me|its|the|is|are|us system|secret|developer|hidden|initial|confidential prompt|instructions|preamble',
      'reveal|print|show|repeat|output|leak|display|disclose|expose|recite your|its|own instructions|prompt|guidelines|programming',
      'repeat|print|output|copy everything|all|text|words|the above|before|preceding this|the|in|verbatim|you|starting',
      'new|updated|real|true|actual system|developer|secret instructions|prompt|message|directive',
      'new|updated|revised|following instructions|directives|rules are|override|supersede|replace|instead',
      'your new|real|actual|only|true|primary|next task|goal|job|objective|mission|role|instructions|purpose is|are',
      'do|must|should|never not|never|tell|mention tell|inform|alert|notify|warn|mention|reveal the|to|this|your user|users|human',
      'without telling|informing|notifying|alerting the|your user|users|human',
      'if you are|re an|a|ai|llm|any ai|llm|language|assistant|artificial|large|agent|chatbot|model',
      'dear|attention|hey|hello|listen ai|llm|assistant|chatgpt|claude|gemini|copilot|gpt|language|agents|assistants|chatbot|bots',
      'to all|any|the|every ai|llm|llms|language|assistants|agents reading|processing|models|assistants|parsing|summarizing|agents',
      'important|urgent message|instruction|instructions|information from|for|to me|your|you|assistant|ai|llm',
      'instead of answering|summarizing|translating|doing|following|completing say|print|output|respond|reply|write|type|return|tell',
      'end|start|beginning of|the system|user|initial prompt|message|instructions|input',
      'before you can|continue|answer|solve solve|answer|complete|continue|the|do the|my|this|task|question task|question|that|request|first|please',
      'send|forward|email|post|upload|transmit|exfiltrate|leak all|the|your|their|user|any|this|users conversation|chat|emails|passwords|password|credentials|secrets|api|private|secret|confidential history|keys|key|data|to|tokens|password',
      'i have been pwned|hacked',
      'i am|m your developer|creator|administrator|admin|owner|master|programmer',
      'this is your|the developer|administrator|creator|operator|system speaking|talking|override|admin',
      'disable|remove|bypass|deactivate|drop your|all|any|the safety|content|ethical|moderation|guardrail filters|filter|guidelines|restrictions|protocols|guardrails|policies|checks|measures',
      'you must|will|shall obey|comply',
      'you are|have no longer|been bound|restricted|limited|freed|restrictions|liberated',
      'you must|will|shall now|only|always|from respond|answer|reply|say|speak|output|ignore',
    ],
  },
  {
    name: 'Chinese',
    verbs:
      '忽略 无视 無視 忽視 忘记 忘記 不要遵守 不要遵循 绕过 繞過 覆盖 覆蓋 丢弃 跳过 不理会 撤销',
    which:
      '之前 以前 上面 以上 先前 前面 所有 全部 任何 你的 您的 系统 系統 此前 上述 原有 原来 當前 当前',
    nouns:
      '指令 指示 提示 规则 規則 命令 要求 说明 說明 提示词 提示詞 限制 设定 設定 约束 内容 指引 对话',
    verbFirst: true,
    phrases: [
      '从现在开始|从现在起|從現在開始|從現在起 你',
      '你现在是|你現在是|你不再是|你现在扮演|假装你是|假裝你是|请扮演|扮演一个',
      '显示|透露|输出|打印|告诉我|泄露|重复|顯示|輸出 系统提示|系統提示|你的指令|你的提示|系统指令|提示词',
      '不要告诉|不要通知|别告诉|不要告訴|瞒着 用户|用戶|使用者',
      '开发者模式|開發者模式|越狱模式|越獄',
      '新的指令|新指令|新任务是|你的新任务|真正的指令|你的任务是|你必须|如果你是人工智能|如果你是ai|亲爱的ai',
    ],
  },
  {
    name: 'Spanish',
    verbs:
      'ignora ignore ignorar ignores ignoren ignorad olvida olvide olvidar olvídate omite omita omitir descarta ' +
      'descarte descartar desestima anula anule anular desobedece salta',
    which:
      'anteriores anterior previas previos previa previo todas todos toda todo tus sus cualquier arriba ' +
      'originales iniciales precedentes sistema existentes antes actuales',
    nouns:
      'instrucciones instrucción indicaciones indicación órdenes orden reglas regla mensajes mensaje prompt ' +
      'prompts directrices comandos contexto restricciones directivas pautas normas',
    verbFirst: true,
    phrases: [
      'a partir de ahora|este eres|serás|actúa|actúas|debes|responde|tu|responderás|momento',
      'ahora eres un|una|el|la|dan|libre',
      'revela|revele|muestra|muestre|imprime|imprima|repite|repita|dime|escribe tu|tus|el|las|su|sus prompt|instrucciones|mensaje|indicaciones|reglas|sistema',
      'no|sin se|le|informes|digas|menciones|informar|avisar|decir|informe|diga|mencione lo|al|a|nada|esto usuario|usuarios|al|el',
      'nuevas|nueva|verdaderas instrucciones|instrucción|tarea|órdenes',
      'tu|su nueva|verdadera|única|próxima tarea|misión|objetivo|función es',
      'si eres|es un|una ia|asistente|modelo|inteligencia|agente|llm',
      'modo desarrollador|dan|dios activado|habilitado|activo',
    ],
  },
  {
    name: 'Hindi',
    verbs: 'अनदेखा अनदेखी नज़रअंदाज़ नजरअंदाज भूल भूलें भूलकर उपेक्षा अवहेलना इग्नोर रद्द दरकिनार',
    which: 'पिछले पिछली पिछला पूर्व पहले सभी सब उपरोक्त ऊपर अपने अपनी आपके तमाम सारे सारी मौजूदा मूल सिस्टम',
    nouns:
      'निर्देश निर्देशों निर्देशोंको आदेश आदेशों नियम नियमों प्रॉम्प्ट संदेश संदेशों दिशानिर्देश दिशानिर्देशों हिदायतों हिदायत',
    verbFirst: false,
    phrases: [
      'अब से|तुम आप|तुम|एक',
      'अपना|अपने|आपका सिस्टम|मूल|गुप्त प्रॉम्प्ट|निर्देश|संदेश',
      'उपयोगकर्ता|यूज़र को मत|न|नहीं बताएं|बताना|बताओ|बताएँ',
      'नए|नया|असली निर्देश|आदेश|कार्य|काम यह|है|हैं|का',
      'यदि|अगर आप|तुम एआई|एक|ai एआई|हैं|सहायक|मॉडल|हो',
    ],
  },
  {
    name: 'French',
    verbs:
      'ignore ignorez ignorer oublie oubliez oublier néglige négligez écarte écartez annule annulez contourne ' +
      'contournez désobéis outrepasse outrepassez abandonne',
    which:
      'précédentes précédents précédente précédent toutes tous tes vos ci-dessus antérieures antérieurs ' +
      'initiales système précédemment dessus existantes originales données avant',
    nouns:
      'instructions instruction consignes consigne directives directive ordres règles messages message prompt ' +
      'prompts commandes contexte restrictions indications',
    verbFirst: true,
    phrases: [
      'à partir de|d maintenant|présent|aujourd tu|vous|réponds|répondez|agis',
      'désormais tu|vous es|êtes|dois|devez|seras|serez|réponds|répondez',
      'tu|vous es|êtes maintenant|désormais un|une|le|la|dan|libre',
      'révèle|révélez|affiche|affichez|montre|montrez|répète|répétez|imprime|divulgue|donne ton|votre|tes|vos|le|moi|les prompt|instructions|message|consignes|invite|système',
      'ne|sans dis|dites|informe|informez|mentionne|mentionnez|informer|prévenir|avertir|le|pas pas|rien|l|le|à|jamais utilisateur|à|l|utilisatrice|utilisateurs',
      'nouvelles|nouvelle|véritables|vraies instructions|instruction|consignes|tâche|consigne',
      'ta|votre nouvelle|véritable|seule|prochaine tâche|mission|objectif est',
      'si tu|vous es|êtes un|une ia|assistant|modèle|agent|llm|intelligence',
      'mode développeur|dan|dieu activé|actif',
    ],
  },
  {
    name: 'Arabic',
    verbs:
      'تجاهل تجاهلي تجاهلوا انس انسى إنس انسَ تخطى تخط ألغ الغ اهمل أهمل تجاوز اترك وتجاهل تناس',
    which:
      'السابقة السابق جميع كل أعلاه اعلاه الأصلية المذكورة الخاصة النظام القديمة كافة السابقه الأولية الحالية أي',
    nouns:
      'التعليمات تعليمات التوجيهات توجيهات الأوامر اوامر الاوامر أوامر القواعد قواعد الرسائل الإرشادات تعليماتك ' +
      'التعليمات، المطالبات القيود السياق أوامرك قواعدك',
    verbFirst: true,
    phrases: [
      'من الآن|الان فصاعدا|فصاعداً|وصاعدا|أنت|انت',
      'أنت|انت الآن|الان مساعد|نموذج|لست|حر|في|قرصان',
      'اكشف|أظهر|اظهر|اطبع|كرر|اعرض عن|موجه|تعليمات|تعليماتك|رسالة|لي|نص النظام|تعليماتك|تعليمات|موجه|السرية|الأصلية',
      'لا|دون تخبر|تقل|تذكر|إخبار|اخبار|علم المستخدم|للمستخدم|هذا',
      'تعليمات|التعليمات|مهمتك|أوامر جديدة|الجديدة|الحقيقية',
      'إذا|اذا كنت ذكاء|ذكاءً|نموذج|نموذجا|مساعد|مساعدا|روبوت',
    ],
  },
  {
    name: 'Bengali',
    verbs: 'উপেক্ষা অগ্রাহ্য ভুলে ভুলুন বাতিল ইগনোর অমান্য এড়িয়ে',
    which: 'পূর্ববর্তী আগের সব সমস্ত সকল উপরের আপনার তোমার পূর্বের যাবতীয় মূল সিস্টেম সিস্টেমের',
    nouns:
      'নির্দেশ নির্দেশাবলী নির্দেশনা নির্দেশগুলি নির্দেশগুলো নিয়ম নিয়মাবলী নিয়ম প্রম্পট আদেশ বার্তা নির্দেশনাগুলো',
    verbFirst: false,
    phrases: [
      'এখন থেকে আপনি|তুমি',
      'আপনার|তোমার সিস্টেম|গোপন|মূল প্রম্পট|নির্দেশ|নির্দেশনা',
      'ব্যবহারকারীকে বলবেন|জানাবেন|বলো|জানাবে না|না',
      'নতুন|আসল নির্দেশ|নির্দেশনা|কাজ|আদেশ হল|হলো',
      'যদি আপনি|তুমি একটি|একজন|এআই এআই|ai|সহকারী|মডেল|হন|হও',
    ],
  },
  {
    name: 'Portuguese',
    verbs:
      'ignore ignora ignorar ignorem esqueça esquece esquecer desconsidere desconsidera desconsiderar descarte ' +
      'descarta anule anula desobedeça desobedece pule despreze',
    which:
      'anteriores anterior prévias prévios todas todos toda todo suas seus tuas qualquer acima originais ' +
      'iniciais precedentes sistema existentes atuais quaisquer',
    nouns:
      'instruções instrução orientações ordens ordem regras regra mensagens mensagem prompt prompts diretrizes ' +
      'comandos contexto restrições diretivas',
    verbFirst: true,
    phrases: [
      'a partir de agora você|tu|responda|aja|seu',
      'você|tu agora é|és um|uma|o|a|dan|livre',
      'agora você é um|uma|o|a|dan|livre',
      'revele|revela|mostre|mostra|imprima|repita|exiba|diga|escreva seu|sua|suas|o|as|teu prompt|instruções|mensagem|orientações|regras|sistema',
      'não|sem conte|diga|informe|mencione|informar|avisar|contar ao|o|a|nada|isso usuário|usuários|ao|o',
      'novas|nova|verdadeiras instruções|instrução|tarefa|ordens',
      'sua|tua nova|verdadeira|única|próxima tarefa|missão|objetivo|função é',
      'se você|tu é|for|és um|uma ia|assistente|modelo|agente|llm|inteligência',
      'modo desenvolvedor|dan|deus ativado|habilitado|ativo',
    ],
  },
  {
    name: 'Russian',
    verbs:
      'игнорируй игнорируйте игнорировать проигнорируй проигнорируйте забудь забудьте забыть отбрось отбросьте ' +
      'отмени отмените обойди обойдите пренебреги нарушь',
    which:
      'предыдущие предыдущих предыдущую предыдущий все всех всё любые свои твои ваши прежние прошлые прошлых ' +
      'вышеуказанные вышеприведенные выше системные системный исходные первоначальные эти',
    nouns:
      'инструкции инструкцию инструкций указания указаний правила правил команды команд сообщения промпт ' +
      'промпты подсказки директивы приказы ограничения контекст запросы установки',
    verbFirst: true,
    phrases: [
      'с этого|данного момента ты|вы|отвечай|отвечайте',
      'отныне ты|вы|отвечай',
      'теперь ты|вы не|больше|являешься|играешь|свободен|dan|будешь|мой|хакер|злой|помощник',
      'покажи|покажите|раскрой|раскройте|выведи|выведите|повтори|повторите|напечатай|сообщи свой|свои|твой|твои|системный|мне|ваш|ваши|полный промпт|инструкции|системный|системные|подсказку|сообщение|инструкцию',
      'не|без говори|говорите|сообщай|сообщайте|рассказывай|упоминай|ведома|уведомления|предупреждения пользователю|пользователя|об',
      'новые|новая|настоящие инструкции|инструкция|задача|указания',
      'твоя|ваша новая|настоящая|единственная|следующая задача|цель|роль|миссия',
      'если ты|вы ии|искусственный|языковая|ассистент|модель|нейросеть|ai|llm|бот',
      'режим разработчика|dan|бога активирован|включен|включён',
    ],
  },
  {
    name: 'Urdu',
    verbs: 'نظرانداز نظر‌انداز انداز بھول بھلا منسوخ رد',
    which: 'پچھلی پچھلے سابقہ پہلے تمام سب اوپر اپنی اپنے آپ گزشتہ ساری سارے مذکورہ سسٹم نظر',
    nouns: 'ہدایات ہدایت احکامات حکم قواعد اصول پرامپٹ پیغامات پیغام ہدایتوں اصولوں',
    verbFirst: false,
    phrases: [
      'اب سے آپ|تم',
      'اپنا|اپنی|اپنے سسٹم|خفیہ|اصل پرامپٹ|ہدایات|پیغام',
      'صارف کو نہ|مت بتائیں|بتانا|بتاؤ',
      'نئی|اصل|نیا ہدایات|ہدایت|کام|حکم یہ|ہے|ہیں',
      'اگر آپ|تم ایک|اے مصنوعی|آئی|ذہانت|ai|ماڈل',
    ],
  },
  {
    name: 'Indonesian',
    verbs: 'abaikan mengabaikan lupakan melupakan lewati batalkan langgar kesampingkan hiraukan',
    which:
      'sebelumnya semua seluruh segala atas sistem anda kamu apapun sebelum terdahulu awal lama tadi',
    nouns: 'instruksi perintah aturan petunjuk arahan pesan prompt pedoman batasan konteks',
    verbFirst: true,
    phrases: [
      'mulai sekarang kamu|anda|jawab',
      'kamu|anda sekarang adalah',
      'tampilkan|ungkapkan|cetak|ulangi|tunjukkan|bocorkan prompt|instruksi|pesan|perintah sistem|anda|kamu|rahasia|awal',
      'jangan|tanpa beri|katakan|beritahu|memberi|memberitahu|sebutkan tahu|kepada|pengguna|pada pengguna|user',
      'instruksi|tugas|perintah baru|sebenarnya',
      'jika|bila kamu|anda adalah ai|asisten|model|agen|kecerdasan',
    ],
  },
  {
    name: 'German',
    verbs:
      'ignoriere ignorieren ignorier vergiss vergessen missachte missachten verwirf überschreibe umgehe umgehen ' +
      'übergehe übergehen missachtest lasse',
    which:
      'vorherigen vorherige vorigen bisherigen bisherige obigen obige alle allen sämtliche deine ihre früheren ' +
      'vorangegangenen ursprünglichen bestehenden systemanweisungen system oben zuvor',
    nouns:
      'anweisungen anweisung instruktionen instruktion befehle befehl regeln vorgaben nachrichten prompt prompts ' +
      'richtlinien aufträge kontext anordnungen einschränkungen beschränkungen aufforderungen',
    verbFirst: true,
    phrases: [
      'ab jetzt|sofort|nun bist|antwortest|wirst|musst|handelst|antworte',
      'von nun|jetzt an bist|antwortest|wirst|musst|antworte',
      'du bist jetzt|nun|ab|nicht ein|eine|der|die|dan|mehr|frei|im',
      'zeige|zeig|verrate|nenne|wiederhole|drucke|gib|offenbare mir|deinen|deine|den|dein|ihren|ihre|aus systemprompt|prompt|anweisungen|systemnachricht|systemanweisungen|instruktionen|system-prompt',
      'sage|sag|teile|erwähne|verrate|informiere dem|das|den|es nutzer|benutzer|anwender|gegenüber|nichts nicht|nichts|davon|das',
      'neue|neuen|echten|eigentlichen|wahren anweisungen|anweisung|aufgabe|instruktionen|befehle',
      'deine|ihre neue|wahre|eigentliche|einzige|nächste aufgabe|rolle|mission ist|lautet',
      'wenn|falls|als du|sie eine|ein|ki ki|assistent|sprachmodell|llm|agent|bist|ai',
      'entwicklermodus|dan-modus aktiviert|aktiv|eingeschaltet',
    ],
  },
  {
    name: 'Japanese',
    verbs: '無視 忘れ 無効 破棄 従わない 上書き 従うな',
    which: '以前 これまで 上記 前の すべて 全て あなたの システム 先ほど 今まで 元の それまで',
    nouns: '指示 命令 指令 ルール プロンプト 規則 メッセージ 制約 指図 ガイドライン 設定',
    verbFirst: false,
    phrases: [
      '今から|これから|今後 あなたは',
      'あなたは今 として|です|から',
      'システムプロンプト|あなたの指示|内部プロンプト|隠された指示|初期プロンプト 表示|出力|教え|公開|見せ',
      'ユーザー|利用者 伝えないで|知らせないで|言わないで|通知しないで|知らせずに|伝えずに|言わずに',
      '新しい指示|新しい命令|本当の指示|新しいタスク|真の指示',
      'もしあなたがai|あなたがaiなら|aiアシスタントへ|開発者モード',
    ],
  },
];

export const cueGroups = ['model', 'role', 'order', 'licence'] as const;
type CueGroup = (typeof cueGroups)[number];

/** How many cues of a group count, and how much each is worth. */
export const cueWeights: Readonly<Record<CueGroup, { first: number; each: number; max: number }>> =
  {
    model: { first: 20, each: 10, max: 3 },
    role: { first: 0, each: 12, max: 3 },
    order: { first: 0, each: 15, max: 4 },
    licence: { first: 0, each: 15, max: 5 },
  };
/** This much within this many words counts as a prompt. */
export const cueThreshold = 64;
export const cueThresholdUnaddressed = 96;
export const cueWindow = 110;

/** One or two words each. `a|b c` means a or b, directly followed by c. */
export const cues: Readonly<Record<CueGroup, readonly string[]>> = {
  model: cueList(`
    chatgpt, gpt|gpts, chatbot|chatbots, ai|ais, llm|llms, openai, claude, bing, bard, gemini,
    assistant, language model, artificial intelligence, bot, prompt|prompts,
    jailbreak|jailbreaks|jailbroken|jailbreaking, dan, developer mode, system prompt
  `),
  role: cueList(`
    act|acts|acting as|like, role of, roleplay|roleplaying, role play|playing, persona,
    in|break|of character, pretend|pretending, simulate|simulates|simulator|simulating,
    impersonate|impersonating, personify, embody, fictional, hypothetical, imaginary, named,
    immerse, play the|a, pose as, stands for, you are, character, alter ego, are|is now,
    take|takes on, assume the, the name, imagine, personality, a game
  `),
  order: cueList(`
    you will, you must, are to, you have, you can, you should, you cannot, you may,
    your response|responses|answer|answers, your reply|replies|output|outputs|message,
    respond|responds|responding as|with|to|in|like, answer|answers|answering any|every|all,
    any|every|all question|questions|request|requests|prompt|prompts, no longer,
    my question|questions|prompt|prompts|request|requests|command|commands|instructions|orders,
    want you, now on, i say, never|not|cannot refuse|refuses|say|says|reject|rejects|decline,
    always respond|responds|answer|answers|send|sends|comply|complies|obey|obeys|provide|provides,
    first|next message, this conversation|chat|session, stay|stays in|as, new chat, say no,
    the|a|user user|request|input, output only, start|begin|starts|begins your|every|each,
    forget everything|all|about|your, this moment, your task|purpose|goal|job|mission|role,
    allowed|blocked modes|responses|strings, at all, are free, i am|will, do not|anything
  `),
  licence: cueList(`
    unfiltered, uncensored, unrestricted|unrestrained|unlimited, amoral, unethical, immoral,
    illegal|illegally|illegality, legality, ethicality, morality, harmful, offensive, nsfw,
    explicit, dangerous, taboo, ethics, ethical, moral|morals, restriction|restrictions,
    limitation|limitations|limits, filter|filters, censor|censorship, guidelines,
    policy|policies, disclaimer|disclaimers, warning|warnings|warn, constraints,
    refuse|refuses|refusal|refusals, apologize|apologise|apologies|sorry, decline, no matter,
    regardless, without any, rules, laws, swear|curse|profanity, evil, chaos, opinions
  `),
};

function cueList(text: string): string[] {
  return text.split(',').map((cue) => cue.trim());
}
