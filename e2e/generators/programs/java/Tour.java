// The tour with the Java client of openapi-generator.
import java.net.URI;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AccountApi;
import org.openapitools.client.api.AdminApi;
import org.openapitools.client.api.ExtractApi;
import org.openapitools.client.api.SearchApi;
import org.openapitools.client.api.TranscriptionApi;
import org.openapitools.client.model.ErrorEnvelope;
import org.openapitools.client.model.ExtractRequest;
import org.openapitools.client.model.SearchRequest;
import org.openapitools.client.model.TranscriptionRequest;

public class Tour {
  public static void main(String[] none) throws Exception {
    ApiClient caller = connect(System.getenv("TRIVIUM_API_KEY"));
    ApiClient operator = connect(System.getenv("TRIVIUM_ADMIN_TOKEN"));
    SearchApi search = new SearchApi(caller);
    TranscriptionApi jobs = new TranscriptionApi(caller);

    var found = search.searchWeb(SearchApi.APISearchWebRequest.newBuilder()
        .searchRequest(new SearchRequest().query("solar energy")).build());
    String url = found.getResults().get(0).getUrl();
    var request = new ExtractRequest().urls(List.of(URI.create(url)));
    var pages = new ExtractApi(caller).extractPages(
        ExtractApi.APIExtractPagesRequest.newBuilder().extractRequest(request).build());
    URI audio = URI.create(System.getenv("TOUR_AUDIO_URL"));
    var recording = new TranscriptionRequest().audioUrl(audio);
    var accepted = jobs.createTranscription(
        TranscriptionApi.APICreateTranscriptionRequest.newBuilder()
            .transcriptionRequest(recording).build());
    var job = jobs.readJob(
        TranscriptionApi.APIReadJobRequest.newBuilder().id(accepted.getId()).build());
    var balance = new AccountApi(caller).readBalance();
    var accounts = new AdminApi(operator).listAccounts(
        AdminApi.APIListAccountsRequest.newBuilder().build());
    System.out.println("toured "
        + pages.getResults().get(0).getUrl().equals(url) + " "
        + (job.getId().equals(accepted.getId())
            && job.getTool().getValue().equals("transcription")) + " "
        + (balance.getBalanceUsd().doubleValue() > 0) + " "
        + refusal(search).equals("invalid_request") + " "
        + !accounts.getAccounts().isEmpty());
  }

  static String refusal(SearchApi search) throws Exception {
    var strict = new SearchRequest().query("x").offset(10).strict(true)
        .provider(SearchRequest.ProviderEnum.ENGINE_A);
    try {
      search.searchWeb(SearchApi.APISearchWebRequest.newBuilder().searchRequest(strict).build());
      return "none";
    } catch (ApiException error) {
      var body = ApiClient.createDefaultObjectMapper()
          .readValue(error.getResponseBody(), ErrorEnvelope.class);
      return body.getError().getType().getValue();
    }
  }

  static ApiClient connect(String token) {
    ApiClient made = new ApiClient();
    made.updateBaseUri(System.getenv("TRIVIUM_URL"));
    made.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    return made;
  }
}
